"""record_celery.py LOAD WORKERS LOG: a Celery worker of so many processes on Redis, under a load; its events, an object of JSON a line."""
import json
import os
import sys
import tempfile
import threading

from programs import accepts, end_on_signals, free_port, need, read_load, running, send_at, wait_until, write_seen

if __name__ == '__main__':
    redis_server, = need('redis-server', modules=('celery', 'redis'))

import time
import uuid

from celery import Celery

app = Celery('record_celery', broker=os.environ.get('RECORD_REDIS'))
app.conf.update(task_ignore_result=True, worker_send_task_events=True, task_send_sent_event=True,
                worker_prefetch_multiplier=1)


@app.task(name='work')
def work(size):
    time.sleep(size)


def listening(connection, note):
    """Calls note(event) for every event from now on, in a thread of its own."""
    ready = threading.Event()

    class Receiver(app.events.Receiver):
        def on_consume_ready(self, *arguments, **options):
            ready.set()

    receiver = Receiver(connection, handlers={'*': note})
    threading.Thread(target=receiver.capture, daemon=True).start()
    if not ready.wait(60):
        raise RuntimeError('no events can be heard')
    return receiver


def main():
    load, workers, log = read_load(sys.argv[1]), sys.argv[2], sys.argv[3]
    end_on_signals()
    with tempfile.TemporaryDirectory() as folder, open(log, 'w') as out:
        port = free_port()
        url = f'redis://127.0.0.1:{port}/0'
        here = os.path.dirname(os.path.abspath(__file__))
        environment = {**os.environ, 'RECORD_REDIS': url, 'C_FORCE_ROOT': '1', 'PYTHONPATH': here,
                       'PYTHONDONTWRITEBYTECODE': '1'}
        redis = [redis_server, '--port', str(port), '--bind', '127.0.0.1', '--save', '', '--dir', folder]
        worker = [sys.executable, '-m', 'celery', '-A', 'record_celery', 'worker', '-c', workers, '-O', 'fair', '-E']
        with running(redis, folder, 'redis'):
            wait_until(lambda: accepts(port), 'redis-server')
            app.conf.update(broker_url=url)
            sent, ended, all_ended = {}, {}, threading.Event()

            def note(event):
                out.write(json.dumps(event, default=str) + '\n')
                if event['type'] in ('task-succeeded', 'task-failed'):
                    ended[event['uuid']] = time.monotonic()
                    if len(ended) == len(load):
                        all_ended.set()

            def send(i, size):
                sent[uuid.uuid5(uuid.NAMESPACE_URL, str(i)).hex] = time.monotonic()
                work.apply_async((size,), task_id=uuid.uuid5(uuid.NAMESPACE_URL, str(i)).hex)

            with running(worker, folder, 'celery', env=environment):
                wait_until(lambda: app.control.ping(timeout=0.5), 'celery')
                with app.connection_for_read() as connection:
                    receiver = listening(connection, note)
                    send_at(load, send)
                    if not all_ended.wait(300):
                        raise RuntimeError(f'Celery ended {len(ended)} of {len(load)} tasks')
                    receiver.should_stop = True
        write_seen(log, [ended[task] - sent[task] for task in sent])


if __name__ == '__main__':
    main()
