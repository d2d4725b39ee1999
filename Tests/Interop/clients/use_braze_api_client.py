"""braze-api-client: track and aliases."""

from braze_api_client.client import Client
from facts import KEY, URL, done, same

client = Client(KEY, URL)
answer = client.users.track.create_item(
    {"attributes": [{"external_id": "ada", "plan": "team"}]}
)
same((answer.status_code, answer.json()["message"]), (201, "success"), "track")
answer = client.users.alias.new.create_item(
    {"user_aliases": [{"external_id": "ada", "alias_name": "A-1", "alias_label": "crm"}]}
)
same((answer.status_code, answer.json()["aliases_processed"]), (201, 1), "alias")
answer = client.users.alias.new.create_item(
    {"user_aliases": [{"external_id": "nobody", "alias_name": "N-1", "alias_label": "crm"}]}
)
same(
    (answer.json()["aliases_processed"], len(answer.json()["errors"])), (0, 1), "unknown user"
)
done()
