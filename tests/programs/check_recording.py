"""check_recording.py LOAD SEEN TASKS.csv WORKERS RESOLUTION: whether what was read of a log is the load that was sent.

Sleeping takes at least as long as asked, and no log can say that a task took longer than its sender saw: so every length has a bound
on both sides, however busy the machine is.
"""
import csv
import sys

load_file, seen_file, tasks_file = sys.argv[1:4]
workers, resolution = int(sys.argv[4]), float(sys.argv[5])
sizes = sorted(float(line.split()[1]) for line in open(load_file))
seen = sorted(map(float, open(seen_file)))
tasks = [{name: float(row[name]) for name in ('submitted', 'started', 'finished')} for row in csv.DictReader(open(tasks_file))]
failures = []


def check(holds, message):
    if not holds:
        failures.append(message)


check(len(tasks) == len(sizes) == len(seen), f'{len(sizes)} tasks sent, {len(seen)} answered, {len(tasks)} read')
responses = sorted(task['finished'] - task['submitted'] for task in tasks)
for size, response, longest in zip(sizes, responses, seen):
    check(size - resolution <= response <= longest + resolution,
          f'response {response:.3f} s, expected {size:.3f} to {longest:.3f}')
if any(task['started'] > task['submitted'] for task in tasks):
    changes = []
    for task in tasks:
        if task['finished'] - task['started'] > 2 * resolution:
            changes += [(task['started'] + resolution, 1), (task['finished'] - resolution, -1)]
    busy = most = 0
    for _, change in sorted(changes):
        busy += change
        most = max(most, busy)
    check(most <= workers, f'{most} tasks at once, with {workers} workers')
for failure in failures[:10]:
    print(failure)
sys.exit(bool(failures))
