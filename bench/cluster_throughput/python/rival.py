"""What the rivals in Python have in common: the same tasks as in workload.hpp, and what is printed."""
import struct


def payloads(tasks, size):
    """Task number i: its number, then zeros."""
    return (struct.pack('<Q', i).ljust(size, b'\0') for i in range(tasks))


def report(seconds, results, trips):
    checksum = sum((struct.unpack_from('<Q', result)[0] + 1) * (len(result) + 1) for result in results)
    print(seconds, checksum % 2**64, *(trip * 1e6 for trip in trips))
