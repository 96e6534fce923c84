"""SimPy's module of that name: what models import from it."""

from ..._sim import Container, Get as ContainerGet, Put as ContainerPut

__all__ = ["Container", "ContainerGet", "ContainerPut"]
