"""SimPy's module of that name: what models import from it."""

import abc

from ..._sim import Container, Get, Put, Resource, Store


class BaseResource(abc.ABC):
    """What resources, containers and stores are: for isinstance(). A class of one's own begins with one of them."""

    @abc.abstractmethod
    def __init__(self) -> None: ...


for _each in (Container, Resource, Store):
    BaseResource.register(_each)

__all__ = ["BaseResource", "Get", "Put"]
