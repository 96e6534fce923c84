"""Dask.distributed: a scheduler, workers of one thread each, and a client, on this machine.

dask_rival.py TASKS BYTES WORKERS IN_FLIGHT: prints the seconds, the checksum and, if one task is in flight, the round
trips in us.
"""
import logging
import sys
import time

from rival import payloads, report


def echo(payload):
    return payload


def main():
    from distributed import Client, LocalCluster
    tasks, size, workers, in_flight = map(int, sys.argv[1:])
    logging.getLogger('distributed').setLevel(logging.CRITICAL)
    with LocalCluster(n_workers=workers, threads_per_worker=1, processes=True, dashboard_address=None) as cluster, \
            Client(cluster) as client:
        client.wait_for_workers(workers)
        client.gather(client.map(echo, range(workers), pure=False))
        begun = time.perf_counter()
        if in_flight == 1:
            results, trips = [], []
            for payload in payloads(tasks, size):
                sent = time.perf_counter()
                results.append(client.submit(echo, payload, pure=False).result())
                trips.append(time.perf_counter() - sent)
        else:
            results, trips = client.gather(client.map(echo, list(payloads(tasks, size)), pure=False)), []
        report(time.perf_counter() - begun, results, trips)


if __name__ == '__main__':
    main()
