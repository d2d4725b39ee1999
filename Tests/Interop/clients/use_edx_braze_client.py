"""edx-braze-client: identifying, aliases, e-mail states and the errors it tells apart."""

from braze.client import BrazeClient
from braze.exceptions import BrazeBadRequestError, BrazeUnauthorizedError
from facts import FACTS, KEY, URL, done, refused, same

client = BrazeClient(api_key=KEY, api_url=URL, app_id="tea")

same(client.get_braze_external_id("ada@example.com"), "ada", "external id by e-mail address")
same(client.get_braze_external_id("nobody@example.com"), None, "an unknown address")

client.create_braze_alias(["new@example.com", "ada@example.com"], "course")
same(
    client.get_braze_external_id_batch(["new@example.com"], "course"), {}, "an alias without name"
)
# Sixty addresses are two requests.
many = [f"user{number}@example.com" for number in range(60)]
client.create_braze_alias(many, "course")
same(client.get_braze_external_id("user59@example.com"), None, "a user with an alias alone")

recipients = client.create_recipients("course", {"new@example.com": 4711})
same(recipients["new@example.com"]["external_user_id"], 4711, "create_recipients")
same(client.get_braze_external_id("new@example.com"), "4711", "a number became the name")
same(
    client.get_braze_external_id_batch(["new@example.com"], "course"),
    {"new@example.com": "4711"}, "the alias is identified",
)

client.track_user(
    attributes=[{"external_id": "bob", "plan": "free"}],
    events=[{"external_id": "bob", "name": "enrolled", "time": "2026-01-02T03:04:05Z"}],
)
same(client.get_braze_external_id("bob@example.com"), "bob", "track_user")

same(client.unsubscribe_user_email("bob@example.com")["message"], "success", "unsubscribe")
client.unsubscribe_user_email(["eve@example.com", "nobody@example.com"])
found = client.retrieve_unsubscribed_emails(FACTS["start"], FACTS["today"])
same(
    sorted(row["email"] for row in found), ["bob@example.com", "eve@example.com"],
    "retrieve_unsubscribed_emails",
)
same(client.retrieve_unsubscribed_emails("2020-01-01", "2020-02-01"), [], "another time")

refused(
    lambda: client.track_user(attributes=[{}] * 76 and [{"external_id": "x"}], events={"a": 1}),
    Exception, "events that are no list",
)
problem = refused(
    lambda: client.send_email(["ada@example.com"], "Hello", "Text", "a@example.com"),
    BrazeBadRequestError, "an e-mail, which this server cannot send",
)
refused(
    lambda: client.send_campaign_message("no-such-campaign", emails=["ada@example.com"]),
    BrazeBadRequestError, "an unknown campaign",
)
refused(
    lambda: BrazeClient("wrong", URL, "tea").get_braze_external_id("ada@example.com"),
    BrazeUnauthorizedError, "a wrong key",
)
done()
