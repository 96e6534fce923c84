"""SimPy's modules of resources: what models import from them."""
