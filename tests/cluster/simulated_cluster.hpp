#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "artel/cluster/protocol/chunk_result.hpp"
#include "artel/cluster/protocol/master_action.hpp"
#include "artel/cluster/protocol/master_event.hpp"
#include "artel/cluster/protocol/master_machine.hpp"
#include "artel/cluster/protocol/queue_options.hpp"
#include "artel/cluster/protocol/task_key.hpp"
#include "artel/cluster/protocol/worker_action.hpp"
#include "artel/cluster/protocol/worker_event.hpp"
#include "artel/cluster/protocol/worker_machine.hpp"
#include "artel/core/instant.hpp"
#include "artel/random/stream.hpp"
#include "artel/sim/kernel/component.hpp"
#include "artel/sim/kernel/simulation.hpp"
#include "artel/sim/model/network.hpp"
#include "tests/cluster/master_laws.hpp"
#include "tests/cluster/master_promises.hpp"
#include "tests/cluster/overloaded.hpp"
#include "tests/cluster/simulated_queue.hpp"
#include "tests/cluster/simulated_scenario.hpp"
#include "tests/cluster/step_watch.hpp"
#include "tests/cluster/transcript.hpp"
#include "tests/cluster/worker_laws.hpp"

namespace artel::cluster::simulated {

inline constexpr Duration kLease = std::chrono::seconds(1);
inline constexpr Duration kReportEvery = std::chrono::seconds(1);
inline constexpr std::uint64_t kDeadly = 3;   // index of the chunk
inline constexpr std::uint64_t kFailing = 1;  // likewise
inline const TaskKey known_task{"work", 1, 0};
inline const TaskKey other_task{"work", 2, 0};

[[nodiscard]] QueueOptions queue_options(const Scenario& scenario);

// ---- What travels

using ClientEvent = std::variant<MasterEvent, WorkerEvent>;

/// For others, past JetStream: to one, or to all workers or all masters.
struct Forward {
  enum class Whom : std::uint8_t { one, workers, masters };
  Whom whom{};
  ClientId one = 0;
  ClientEvent event;
};
struct ToServer {
  ClientId from = 0;
  std::uint32_t life = 0;
  std::variant<MasterAction, WorkerAction, Forward> what;
  Duration lease{};  // of a chunk that the server is told of
};
struct ToClient {
  ClientId to = 0;
  std::uint32_t life = 0;  // of a worker: what was meant for one that is dead is nobody's
  ClientEvent event;
};
struct Tick {
  std::uint32_t life = 0;
  Instant at{};
};
struct Late {  // an answer of the server
  SimulatedQueue::Out answer;
};
struct Arrival {};  // of a chunk
struct Worked {
  std::uint32_t life = 0;
  LeaseId lease = 0;
};
struct Turn {  // of a fault
  std::size_t fault = 0;
  bool begins = false;
};
struct Reconnect {
  ClientId client = 0;
};
struct Revive {  // a master
  std::size_t which = 0;
};
struct Flap {  // of the connections to a deaf server
  std::size_t fault = 0;
};

class World;

// ---- Processes

/// The server: core NATS, which forwards, and a SimulatedQueue.
class Server final : public sim::Component<ToServer, Tick, Late> {
 public:
  Server(World& world, std::vector<ClientId> masters);
  void on(ToServer& message);
  void on(const Tick& tick);
  void on(const Late& late);
  void wake();

  SimulatedQueue queue;
  bool down = false;
  bool silent = false;
  bool full = false;

 private:
  void serve(ClientId from, MasterAction& what);
  void serve(ClientId from, WorkerAction& what, Duration lease);
  void flush();

  World& world_;
  SimulatedQueue::Outs outs_;
  Instant planned_ = kNever;
};

/// A machine of the protocol on a host of its own: its clock, its connection, its pauses.
class Client {
 public:
  Client(World& world, ClientId id);
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;
  virtual ~Client() = default;

  virtual void take(ClientEvent event) = 0;
  virtual void reconnected() = 0;
  virtual void resume() = 0;

  bool mute = false;
  bool deaf = false;
  bool paused = false;
  std::uint32_t life = 0;

 protected:
  [[nodiscard]] Instant local(Instant time) const;
  [[nodiscard]] Instant global(Instant time) const;

  World& world_;
  const ClientId id_;
  std::vector<ClientEvent> backlog_;  // of a pause

 private:
  Duration offset_{};
  double speed_ = 1;
};

class MasterHost final : public sim::Component<ToClient, Tick, Arrival>, public Client {
 public:
  MasterHost(World& world, ClientId id);
  void begin();
  /// Nothing is left of it but the journal of what has ended.
  void die();
  void on(ToClient& message);
  void on(const Tick& tick);
  void on(const Arrival& arrival);
  void take(ClientEvent event) override;
  void reconnected() override;
  void resume() override;
  [[nodiscard]] bool done() const { return ended_.size() == chunks_; }
  [[nodiscard]] bool is_there() const { return machine_ != nullptr; }
  /// Of the present process, and of those before it.
  [[nodiscard]] const std::string& job() const { return job_; }
  [[nodiscard]] const std::vector<std::string>& earlier_jobs() const { return earlier_jobs_; }

 private:
  void step(MasterEvent event);
  void perform(MasterAction& action);
  void ended(const std::string& how, std::uint64_t index);
  void expect_arrival();

  std::unique_ptr<MasterMachine> machine_;
  std::unique_ptr<MasterPromises> promises_;  // of this machine
  std::unique_ptr<MasterLaws> laws_;          // likewise
  const TaskKey& task_;
  std::string job_;
  std::vector<std::string> earlier_jobs_;
  const std::size_t chunks_;
  std::vector<Instant> arrived_;                // chunks that are there, if they come one by one
  std::size_t taken_ = 0;                       // chunks up to this one, or ended before
  std::map<std::uint64_t, std::string> ended_;  // how
  std::deque<MasterEvent> next_;                // of its own making
  bool stepping_ = false;
  bool disconnected_ = false;  // and knows it
};

class WorkerHost final : public sim::Component<ToClient, Tick, Worked>, public Client {
 public:
  WorkerHost(World& world, ClientId id, bool stranger);
  void begin();
  void die();
  void drain() { step(DrainWanted{}); }
  /// Its process ends at once, but in order.
  void end();
  /// Another one comes for it, as soon as it has gone.
  void replace();
  void on(ToClient& message);
  void on(const Tick& tick);
  void on(const Worked& worked);
  void take(ClientEvent event) override;
  void reconnected() override;
  void resume() override;
  [[nodiscard]] bool is_there() const { return machine_ != nullptr; }

 private:
  void step(const WorkerEvent& event);
  void perform(WorkerAction& action);
  void start_threads();
  void plan_tick();

  const bool stranger_;
  bool replaced_ = false;
  std::unique_ptr<WorkerMachine> machine_;
  std::unique_ptr<WorkerLaws> laws_;
  std::deque<LeaseId> posted_;
  std::map<LeaseId, RunChunk> running_;
  std::vector<LeaseId> not_posted_;
  std::vector<Worked> worked_meanwhile_;  // in a pause: the threads were nearly done
  ChunkResult result_;                    // of the chunk worked on last
  Instant planned_ = kNever;
};

/// Whoever lets things go wrong.
class Fate final : public sim::Component<Turn, Reconnect, Revive, Flap> {
 public:
  explicit Fate(World& world) : world_(world) {}
  void begin();
  void on(const Turn& turn);
  void on(const Reconnect& reconnect);
  void on(const Revive& revive);
  void on(const Flap& flap);

 private:
  void turn_worker(const Fault& fault, bool begins);
  void turn_master(const Fault& fault, bool begins);
  void turn_server(const Fault& fault, bool begins);
  void reconnect_soon(ClientId client);

  World& world_;
};

/// All of it, and what must hold.
class World {
 public:
  World(const Scenario& scenario, std::vector<std::string>* transcript);

  [[nodiscard]] Run run();
  /// Before each step of a machine. Time goes on, or the run ends.
  void count_step();

  // ---- For its parts
  [[nodiscard]] Instant now() const { return simulation.now(); }
  void problem(const std::string& what);
  template <class Said>
  void note(ClientId client, const char* sign, const Said& said) {
    if (transcript != nullptr) note_words(client, sign, in_words(said));
  }
  void note_words(ClientId client, const char* sign, const std::string& words);
  void note(const std::string& line);
  /// Over the network, unless something loses it.
  void to_server(sim::ComponentId src, ToServer message);
  void to_client(ClientId to, ClientEvent event);
  void check_lease(const SimulatedQueue::EndedLease& ended);
  /// Something is wrong, or was within the last lease and a half.
  [[nodiscard]] bool is_disturbed() const;
  /// The server may give the number of a message to another one.
  [[nodiscard]] bool counts_anew() const;
  [[nodiscard]] bool is_worker(ClientId client) const { return client >= scenario.masters; }
  [[nodiscard]] Client& client(ClientId id);
  [[nodiscard]] std::string name(ClientId id) const;

  const Scenario scenario;
  std::vector<std::string>* const transcript;
  sim::Simulation simulation;
  random::Stream dice;
  std::uint64_t steps = 0;
  Duration worked{};  // by all workers, what was lost included
  Duration waited{};  // from arrival to end, of all chunks
  Server* server = nullptr;
  Fate* fate = nullptr;
  std::vector<MasterHost*> masters;
  std::vector<WorkerHost*> workers;  // strangers last
  int faults_now = 0;
  Instant disturbed{Duration(-1)};  // last time that something was wrong

 private:
  sim::Network* network_ = nullptr;
  std::vector<std::string> problems_;
  Instant counted_from_{};
  std::uint64_t counted_ = 0;  // steps since then
  bool stuck_ = false;
};

}  // namespace artel::cluster::simulated
