"""Celery with Redis for broker and results: worker processes of one pool, on this machine.

celery_rival.py TASKS BYTES WORKERS IN_FLIGHT: as dask_rival.py.
"""
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time

from celery import Celery
from rival import payloads, report

LIMIT = 120  # seconds, of everything: a task that got lost would have to be waited for
url = os.environ.get('RIVAL_REDIS', 'redis://127.0.0.1')
app = Celery('celery_rival', broker=url, backend=url)
app.conf.update(task_serializer='pickle', result_serializer='pickle', accept_content=['pickle'],
                broker_connection_retry_on_startup=True)


@app.task(name='echo')
def echo(payload):
    return payload


def free_port():
    with socket.socket() as probe:
        probe.bind(('127.0.0.1', 0))
        return probe.getsockname()[1]


def wait_for(port):
    for _ in range(600):
        with socket.socket() as probe:
            if probe.connect_ex(('127.0.0.1', port)) == 0:
                return
        time.sleep(0.1)
    raise SystemExit('redis-server does not start')


def measure(tasks, size, in_flight):
    begun = time.perf_counter()
    trips = []
    if in_flight == 1:
        results = []
        for payload in payloads(tasks, size):
            sent = time.perf_counter()
            results.append(echo.delay(payload).get(timeout=60, interval=0.001))
            trips.append(time.perf_counter() - sent)
    else:
        results = [sent.get(timeout=600) for sent in [echo.delay(payload) for payload in payloads(tasks, size)]]
    report(time.perf_counter() - begun, results, trips)


def end(process):
    """A worker finishes what it has; one that cannot is not waited for."""
    process.terminate()
    try:
        process.wait(timeout=10)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def give_up(*_):
    print(f'no answer within {LIMIT} s', flush=True)
    raise SystemExit(1)


def main():
    signal.signal(signal.SIGALRM, give_up)
    signal.alarm(LIMIT)
    tasks, size, workers, in_flight = map(int, sys.argv[1:])
    port = free_port()
    environment = {**os.environ, 'RIVAL_REDIS': f'redis://127.0.0.1:{port}', 'C_FORCE_ROOT': '1'}
    with tempfile.TemporaryDirectory() as folder:
        quiet = {'stdout': subprocess.DEVNULL, 'stderr': subprocess.DEVNULL, 'start_new_session': True}
        server = subprocess.Popen(['redis-server', '--port', str(port), '--bind', '127.0.0.1', '--dir', folder, '--save', ''],
                                  **quiet)
        worker = subprocess.Popen([sys.executable, '-m', 'celery', '-A', 'celery_rival', 'worker', '-c', str(workers)],
                                  cwd=os.path.dirname(os.path.abspath(__file__)), env=environment, **quiet)
        try:
            app.conf.update(broker_url=environment['RIVAL_REDIS'], result_backend=environment['RIVAL_REDIS'])
            wait_for(port)
            echo.delay(b'').get(timeout=120)
            measure(tasks, size, in_flight)
        finally:
            signal.alarm(0)
            for process in (worker, server):
                end(process)


if __name__ == '__main__':
    main()
