"""record_haproxy.py LOAD WORKERS LOG [LOG_FORMAT]: HAProxy that lets so many requests at once pass to its server, under a load; its log.

LOG_FORMAT: as in HAProxy's configuration; without it `option httplog`.
"""
import shutil
import sys
import tempfile

from programs import accepts, end_on_signals, free_port, http_backend, need, read_load, running, send_requests, wait_until

CONFIGURATION = """
global
  log stdout format raw local0 info
  maxconn 8192
defaults
  mode http
  log global
  {log_format}
  timeout connect 600s
  timeout client 600s
  timeout server 600s
  timeout queue 600s
frontend front
  bind 127.0.0.1:{port}
  default_backend workers
backend workers
  option http-server-close
  server one 127.0.0.1:{backend} maxconn {workers}
"""


def answered(log):
    with open(log) as file:
        return sum(' 200 ' in line for line in file)


def main():
    haproxy, = need('haproxy')
    load, workers, log = read_load(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
    log_format = f"log-format '{sys.argv[4]}'" if len(sys.argv) > 4 else 'option httplog'
    end_on_signals()
    with tempfile.TemporaryDirectory() as folder, http_backend(folder, workers) as backend:
        port = free_port()
        with open(f'{folder}/haproxy.cfg', 'w') as file:
            file.write(CONFIGURATION.format(port=port, backend=backend, workers=workers, log_format=log_format))
        with running([haproxy, '-db', '-f', f'{folder}/haproxy.cfg'], folder, 'haproxy'):
            wait_until(lambda: accepts(port), 'haproxy')
            send_requests(load, port, log)
            # Told to end it does so at once, whatever it has not written yet.
            wait_until(lambda: answered(f'{folder}/haproxy.out') == len(load), 'the log of haproxy')
        shutil.copyfile(f'{folder}/haproxy.out', log)


main()
