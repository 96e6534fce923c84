"""http_backend.py PORT WORKERS: so many threads take connections, in order of arrival, from one queue; GET /SIZE takes SIZE seconds."""
import socket
import sys
import threading
import time


def serve(listener):
    while True:
        connection, _ = listener.accept()
        with connection:
            request = b''
            while b'\r\n\r\n' not in request:
                part = connection.recv(4096)
                if not part:
                    break
                request += part
            if not request:
                continue  # somebody looked whether this listens
            time.sleep(float(request.split()[1][1:]))
            connection.sendall(b'HTTP/1.0 200 OK\r\nContent-Length: 3\r\n\r\nok\n')


listener = socket.socket()
listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
listener.bind(('127.0.0.1', int(sys.argv[1])))
listener.listen(4096)
threads = [threading.Thread(target=serve, args=(listener,)) for _ in range(int(sys.argv[2]))]
for thread in threads:
    thread.start()
