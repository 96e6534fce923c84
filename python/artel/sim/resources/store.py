"""SimPy's module of that name: what models import from it."""

from ..._sim import FilterStore, PriorityStore, Store
from ..._sim import Get as StoreGet
from ..._sim import Put as StorePut
from ..items import PriorityItem

FilterStoreGet = StoreGet

__all__ = ["FilterStore", "FilterStoreGet", "PriorityItem", "PriorityStore", "Store", "StoreGet", "StorePut"]
