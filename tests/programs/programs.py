"""What the recorders beside this file share: real programs, started in a temporary folder and stopped whatever happens, and a load.

A load is a file of lines `AT SIZE`: seconds from the start at which a task comes, seconds that it takes.
"""
import asyncio
import contextlib
import importlib.util
import os
import shutil
import signal
import socket
import subprocess
import sys
import time

MISSING = 77  # exit status: what the recorder needs is not installed
NAME = os.path.basename(sys.argv[0])
started = []  # processes that should still run


def need(*programs, modules=()):
    """The programs' paths; ends this one if any is not there, or if that (--check) was all that was asked."""
    os.environ['PATH'] += ':/usr/sbin:/sbin'
    missing = [program for program in programs if not shutil.which(program)]
    missing += [module for module in modules if not importlib.util.find_spec(module)]
    if missing:
        print(f'{NAME}: not installed: {", ".join(missing)}', file=sys.stderr)
        raise SystemExit(MISSING)
    if sys.argv[1:] == ['--check']:
        raise SystemExit(0)
    return [shutil.which(program) for program in programs]


def read_load(path):
    with open(path) as lines:
        return [tuple(map(float, line.split())) for line in lines]


def free_port():
    with socket.socket() as probe:
        probe.bind(('127.0.0.1', 0))
        return probe.getsockname()[1]


def end_on_signals():
    """A signal ends this program as an exception does, so that what it started is stopped."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda number, _: sys.exit(128 + number))


@contextlib.contextmanager
def running(command, folder, name, **options):
    """The program while the block runs; its output is in FOLDER/NAME.out, and shown if something fails."""
    out = os.path.join(folder, name + '.out')
    with open(out, 'wb') as file:
        process = subprocess.Popen(command, cwd=folder, stdin=subprocess.DEVNULL, stdout=file, stderr=subprocess.STDOUT,
                                   start_new_session=True, **options)
    started.append(process)
    try:
        yield process
    except Exception:
        with open(out, errors='replace') as file:
            print(f'{NAME}: {name} said:\n{file.read()[-4000:]}', file=sys.stderr)
        raise
    finally:
        started.remove(process)
        stop(process)


def stop(process):
    """The process and all that it started: asked, then made to."""
    for number, seconds in ((signal.SIGTERM, 20), (signal.SIGKILL, 10)):
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, number)
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(seconds)
            break
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)


def wait_until(ready, what, seconds=60):
    end = time.monotonic() + seconds
    while not ready():
        if any(process.poll() is not None for process in started):
            raise RuntimeError(f'{what}: a program has ended')
        if time.monotonic() > end:
            raise RuntimeError(f'{what}: not within {seconds} s')
        time.sleep(0.02)


def accepts(port):
    with socket.socket() as probe:
        return probe.connect_ex(('127.0.0.1', port)) == 0


def send_at(load, send):
    """Calls send(i, size) for every task at its time; a late one does not move the others."""
    start = time.monotonic() + 0.2
    for i, (at, size) in enumerate(load):
        time.sleep(max(0, start + at - time.monotonic()))
        send(i, size)


def write_seen(log, responses):
    """Beside the log, how long each task took as its sender saw it: never less than what the log says."""
    with open(log + '.seen', 'w') as file:
        file.writelines(f'{response:.6f}\n' for response in responses)


async def _get(port, size):
    begun = time.monotonic()
    reader, writer = await asyncio.open_connection('127.0.0.1', port)
    writer.write(f'GET /{size:.6f} HTTP/1.0\r\nHost: test\r\n\r\n'.encode())
    answer = await reader.read()
    writer.close()
    if not answer.startswith(b'HTTP/1.') or b' 200 ' not in answer[:20]:
        raise RuntimeError(f'answered {answer[:80]!r}')
    return time.monotonic() - begun


async def _send_requests(load, port):
    start = time.monotonic() + 0.2
    requests = []
    for at, size in load:
        await asyncio.sleep(max(0, start + at - time.monotonic()))
        requests.append(asyncio.create_task(_get(port, size)))
    return await asyncio.gather(*requests)


def send_requests(load, port, log):
    """Asks the server at this port for /SIZE at every task's time, and waits for all answers."""
    write_seen(log, asyncio.run(_send_requests(load, port)))


@contextlib.contextmanager
def http_backend(folder, workers):
    """A server whose so many threads take connections in order of arrival; a request for /SIZE takes so many seconds."""
    port = free_port()
    program = os.path.join(os.path.dirname(os.path.abspath(__file__)), 'http_backend.py')
    with running([sys.executable, '-B', program, str(port), str(workers)], folder, 'backend'):
        wait_until(lambda: accepts(port), 'the backend')
        yield port
