"""airflow-provider-braze: its operator begins a sync and waits for the end, without a database.

The connection comes from the environment, as Airflow allows; the operator is run as a task runs it.
"""

import json
import os
import tempfile
import urllib.parse

from facts import FACTS, KEY, URL, done, refused, same

home = tempfile.TemporaryDirectory()
os.environ["AIRFLOW_HOME"] = home.name
address = urllib.parse.urlsplit(URL)
os.environ["AIRFLOW_CONN_BRAZE_DEFAULT"] = json.dumps(
    {
        "conn_type": "http", "host": address.hostname, "port": address.port,
        "schema": address.scheme, "password": KEY,
    }
)

from airflow.exceptions import AirflowException
from braze_provider.hooks.braze import BrazeHook
from braze_provider.operators.braze_cdi import BrazeRunCDIJobOperator

hook = BrazeHook()
same(hook.get_cdi_job_sync_status(FACTS["integration"]), [], "no job yet")
operator = BrazeRunCDIJobOperator(
    task_id="sync", integration_id=FACTS["integration"], poll_interval=1, timeout=60
)
job = operator.execute({})
same(
    (job["job_status"], job["rows_synced"], job["rows_failed_with_errors"]), ("success", 2, 0),
    "the job of a good file",
)
broken = BrazeRunCDIJobOperator(
    task_id="broken", integration_id=FACTS["broken_integration"], poll_interval=1, timeout=60
)
problem = refused(lambda: broken.execute({}), AirflowException, "the job of a broken file")
same("failed with status 'error'" in str(problem), True, f"the reason: {problem}")
same(len(hook.get_cdi_job_sync_status(FACTS["integration"])), 1, "jobs of the good file")
refused(
    lambda: hook.get_cdi_job_sync_status("00000000-0000-0000-0000-000000000000"),
    AirflowException, "an unknown integration",
)
done()
