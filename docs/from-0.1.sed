# Brings code that was written for artel 0.1 to its rooms of today: upgrading.md has the tables, and what is left to do by hand.
#   git ls-files "*.[ch]pp" "*CMakeLists.txt" | xargs sed -E -i -f from-0.1.sed
# headers: first what went elsewhere, then whole folders
s,artel/(trace|unit|process)/(csv|csv_header|json_text|open_file|text_file|timestamp|whole_file)\.hpp,artel/file/\2.hpp,
s,artel/pool/(pool_registry|service_options|service_pool|service_stats|supervision)\.hpp,artel/service/\1.hpp,
s,artel/pool/(idle_set|spin_lock)\.hpp,artel/sync/\1.hpp,
s,artel/pool/blocking\.hpp,artel/sync/blocking_hook.hpp,; s,artel/pool/futex\.hpp,artel/sync/futex_wait.hpp,
s,artel/pool/combine\.hpp,artel/pool/when_all.hpp,
s,artel/pool/gate\.hpp,artel/sync/event_count.hpp,; s,artel/pool/parking\.hpp,artel/sync/parker.hpp,
s,artel/pool/(stamp|tally)\.hpp,artel/pool/outcomes.hpp,
s,artel/dispatch/rota\.hpp,artel/dispatch/weighted_cycle.hpp,; s,artel/flow/ticket\.hpp,artel/parallel/work_grant.hpp,
s,artel/lab/plan_price\.hpp,artel/scenario/parse_price.hpp,
s,artel/lab/(calibrate|calibrate_arrivals|calibrate_overhead|replay)\.hpp,artel/predict/\1.hpp,
s,artel/lab/(plan|plan_code|plan_result|plan_search|planned_scenario)\.hpp,artel/plan/\1.hpp,
s,artel/lab/calibrate_service\.hpp,artel/predict/service_fit.hpp,; s,artel/lab/slo_text\.hpp,artel/scenario/parse_slo.hpp,; s,artel/lab/sweep\.hpp,artel/scenario/sweep_axis.hpp,
s,artel/lab/(expression|override|policy_names|scenario|scenario_schema|stealing_word|study|workload_trace)\.hpp,artel/scenario/\1.hpp,
s,artel/lab/,artel/experiment/,; s,artel/flow/,artel/parallel/,; s,artel/process/,artel/command/,; s,artel/(error|unit)/,artel/core/,
# then: a header is named after something that it holds
s,artel/core/contract\.hpp,artel/core/require.hpp,; s,artel/core/nearest\.hpp,artel/core/nearest_name.hpp,; s,artel/core/quantity\.hpp,artel/core/parse_bytes.hpp,
s,artel/stat/warm_up\.hpp,artel/stat/mser5.hpp,; s,artel/sim/kernel/log\.hpp,artel/sim/kernel/log_sink.hpp,; s,artel/sim/model/operation\.hpp,artel/sim/model/operation_id.hpp,
s,artel/sim/platform/platform_file\.hpp,artel/sim/platform/load_platform.hpp,; s,artel/sim/platform/simgrid_file\.hpp,artel/sim/platform/parse_simgrid_platform.hpp,
s,artel/experiment/experiment\.hpp,artel/experiment/run_experiment.hpp,; s,artel/experiment/experiment_state\.hpp,artel/experiment/state_json.hpp,; s,artel/experiment/observed_tasks\.hpp,artel/experiment/observe_tasks.hpp,
s,artel/plan/plan_code\.hpp,artel/plan/pool_code.hpp,; s,artel/plan/plan_search\.hpp,artel/plan/next_workers.hpp,
s,artel/predict/calibrate_arrivals\.hpp,artel/predict/arrival_fit.hpp,; s,artel/predict/calibrate_overhead\.hpp,artel/predict/overhead_fit.hpp,
s,artel/report/calibrate_report\.hpp,artel/report/calibration_text.hpp,; s,artel/report/html_summary\.hpp,artel/report/experiment_summary.hpp,; s,artel/report/output_file\.hpp,artel/file/write_file.hpp,; s,artel/report/wording\.hpp,artel/scenario/objective_text.hpp,
s,artel/report/(replay|trace)_report\.hpp,artel/report/\1_table.hpp,; s/\breport::(experiment|plan|replay)_report\b/report::html_\1/g
s,artel/file/csv\.hpp,artel/file/csv_reader.hpp,; s,artel/file/json_text\.hpp,artel/file/append_json.hpp,; s,artel/file/text_file\.hpp,artel/file/read_text_file.hpp,; s,artel/file/timestamp\.hpp,artel/file/parse_timestamp.hpp,
s,artel/trace/job_log\.hpp,artel/trace/read_job_log.hpp,; s,artel/trace/task_csv\.hpp,artel/trace/task_csv_spec.hpp,; s,artel/trace/task_timeline\.hpp,artel/trace/write_task_timeline.hpp,
s,artel/trace/trace_block\.hpp,artel/trace/task_block.hpp,; s,artel/trace/trace_input\.hpp,artel/trace/load_tasks.hpp,; s,artel/trace/trace_reader\.hpp,artel/trace/read_trace.hpp,
s,artel/cluster/(beacon_request|chunk_order|chunk_result|dead_letter|decoder|job_counts|protocol_version|queue_options|subjects|task_key|worker_report)\.hpp,artel/cluster/protocol/\1.hpp,
s,artel/cluster/command_run\.hpp,artel/cluster/run_command.hpp,; s,artel/cluster/status\.hpp,artel/cluster/pool_status.hpp,; s,artel/cluster/worker_command\.hpp,artel/cluster/run_worker.hpp,
s,artel/experiment/parallel_for\.hpp,artel/experiment/for_each_index.hpp,
s,artel/experiment/replication\.hpp,artel/fleet/run_replication.hpp,; s,artel/experiment/(batch_series|observation|observe_tasks|replay_tasks|task_source|time_series)\.hpp,artel/fleet/\1.hpp,
s,artel/experiment/(model_parameters|model_report|model_state_json|model_study|run_model_study)\.hpp,artel/own_models/\1.hpp,
# names of files are done
/^ *# *include /b
# namespaces and names
s/\blab::Progress\b/experiment::ExperimentProgress/g; s/\bsim::detail::(ProcessStatus|Regular|Tie)\b/sim::\1/g; s/\bTopology::Connection\b/Topology::LinkPair/g
s/\bflow::Ticket\b/parallel::WorkGrant/g; s/\bflow::/parallel::/g
s/\bprocess::OpenFile\b/file::OpenFile/g; s/\bprocess::/command::/g
s/\btrace::(Csv\w+|TimeFormat|WholeFile|append_csv|append_json|parse_timestamp|trimmed|write_all)\b/file::\1/g; s/\b(open|read)_text_file\b/file::&/g
s/\bpool::Gate\b/sync::EventCount/g; s/\bpool::(BlockingHook|IdleSet|Parker|SpinLock|before_block|futex_wait|futex_wake|relax)\b/sync::\1/g; s/\bpool::kApart\b/sync::kCacheLinePair/g
s/\bpool::(all|any)_of\b/pool::when_\1/g
s/\bpool::now\(\)/steady_now()/g; s/\bpool::Outcome\b/trace::TaskOutcome/g; s/\bpool::SmoothedTime\b/stat::SmoothedTime/g
s/\bpool::WhenFull::fail\b/dispatch::WhenFull::reject/g; s/\b(pool|lab)::WhenFull\b/dispatch::WhenFull/g
s/\bpool::(Service\w+|PoolRegistry|Fatal|RestartBudget|Supervision|Worker(Failure|Health|Loss|State))\b/service::\1/g
s/\bRota\b/WeightedCycle/g; s/\brota_of\b/weighted_cycle_of/g; s/\bdispatch::WorkerOptions\b/dispatch::WorkerCapacity/g; s/\bPlacement::Outcome\b/Placement::Kind/g
s/\blab::(Plan\w*|plan|planned_scenario|change_rate|pool_code|pool_options|row_name|smallest_met|monotone|next_workers)\b/plan::\1/g
s/\blab::(Arrival(Fit|s_fit)|Calibrat\w+|Dispersion|Figure|FittedFigure|OverheadFit|Prediction|Replay\w*|RunFigures|SpeedFit|WorkloadSource|calibrat\w+|figures_of|fit_\w+|kFigures|name|relative_error|replay|write_calibration)\b/predict::\1/g
s/\blab::(CountedTimes|Observation|ObservedTask|Replication|ReplicationOptions|T(askSource|ime(Series|Summary|Window))|kDepths|kHistogramBits|observe_tasks|replay_tasks|run_replication|value_of|window_around_peak)\b/fleet::\1/g
s/\blab::(Experiment\w*|Observe(dPolicies|Options)|OutcomeSink|P(oint|olicy)Result|Progress|Replication\w+|Smallest|Verdict|judge|kConfidence|observe_policies|outcome_json|parallel_for|pool_runner|read_(outcome|state)|run_(experiment|job)|smallest_that_meets|state_json)\b/experiment::\1/g
s/\blab::/scenario::/g
# CMake
s/\bartel::(error|unit)\b/artel::core/g; s/\bartel::flow\b/artel::parallel/g; s/\bartel::process\b/artel::command/g
s/\bartel::lab\b/artel::scenario artel::experiment artel::plan artel::predict/g
s/\bexperiment::parallel_for\b/experiment::for_each_index/g
