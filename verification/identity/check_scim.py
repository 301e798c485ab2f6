"""Runs scim2-tester (Yaal Coop, MIT) against a server: check_scim.py <address of /scim/v2> <token>. See check-scim.ts."""

import sys

from httpx2 import Client
from scim2_client.engines.httpx2 import SyncSCIMClient
from scim2_tester import Status, check_server

address, token = sys.argv[1:3]
# With the slash, relative addresses stay below it.
http = Client(base_url=f"{address}/", headers={"Authorization": f"Bearer {token}"}, timeout=30)
scim = SyncSCIMClient(http)
scim.discover()

GOOD = (Status.SUCCESS, Status.COMPLIANT, Status.ACCEPTABLE, Status.SKIPPED)
# An account always has a state and a role: removing the one is refused, removing the other leaves the least.
WANTED = {("check_remove_attribute", "active"), ("check_remove_attribute", "roles")}
counts: dict[str, int] = {}
failed = 0
for result in check_server(scim):
    counts[result.status.name] = counts.get(result.status.name, 0) + 1
    attribute = result.data.get("urn") if isinstance(result.data, dict) else None
    if result.status in GOOD or (result.title, attribute) in WANTED:
        continue
    failed += 1
    print(f"{result.status.name}  {result.title} {result.resource_type or ''}: {result.reason}")
    if "--verbose" in sys.argv:
        print(f"    {result.data!r}")
print(", ".join(f"{count} {name}" for name, count in sorted(counts.items())) + f"; {failed} to be fixed")
sys.exit(1 if failed else 0)
