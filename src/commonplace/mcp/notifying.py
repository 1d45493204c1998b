"""What changed in the book, as events for clients."""

from collections.abc import Mapping

from mcp.shared.subscriptions import ResourcesListChanged, ResourceUpdated, ServerEvent

from commonplace.mcp.resources import address_of


def events_of(changed: Mapping[str, bool]) -> list[ServerEvent]:
    """What the resources of a book have come to; `changed` tells of each file whether it was there before and still
    is."""
    updated = [address for name in changed if (address := address_of(name))]
    listing = [ResourcesListChanged()] if any(not stays and address_of(name) for name, stays in changed.items()) else []
    return [*listing, *map(ResourceUpdated, updated)]
