"""record_nginx.py LOAD WORKERS LOG [LOG_FORMAT]: nginx before a server of so many workers, under a load; its access log.

LOG_FORMAT: as in nginx's configuration; without it `combined` with $request_time behind it.
"""
import os
import shutil
import sys
import tempfile

from programs import accepts, end_on_signals, free_port, http_backend, need, read_load, running, send_requests, wait_until

COMBINED = ('$remote_addr - $remote_user [$time_local] "$request" $status $body_bytes_sent '
            '"$http_referer" "$http_user_agent" $request_time')
CONFIGURATION = """
daemon off;
{user}
pid {folder}/nginx.pid;
error_log stderr;
worker_processes 1;
events {{ worker_connections 8192; }}
http {{
  log_format timed '{log_format}';
  client_body_temp_path {folder}/body;
  proxy_temp_path {folder}/proxy;
  fastcgi_temp_path {folder}/fastcgi;
  uwsgi_temp_path {folder}/uwsgi;
  scgi_temp_path {folder}/scgi;
  server {{
    listen 127.0.0.1:{port} backlog=4096;
    access_log {folder}/access.log timed;
    location / {{ proxy_pass http://127.0.0.1:{backend}; proxy_read_timeout 600s; proxy_connect_timeout 600s; }}
  }}
}}
"""


def main():
    nginx, = need('nginx')
    load, workers, log = read_load(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
    log_format = sys.argv[4] if len(sys.argv) > 4 else COMBINED
    end_on_signals()
    with tempfile.TemporaryDirectory() as folder, http_backend(folder, workers) as backend:
        port = free_port()
        with open(f'{folder}/nginx.conf', 'w') as file:
            file.write(CONFIGURATION.format(folder=folder, port=port, backend=backend, log_format=log_format,
                                            user='user root;' if os.geteuid() == 0 else ''))
        with running([nginx, '-c', f'{folder}/nginx.conf', '-e', 'stderr', '-p', folder], folder, 'nginx'):
            wait_until(lambda: accepts(port), 'nginx')
            send_requests(load, port, log)
        shutil.copyfile(f'{folder}/access.log', log)


main()
