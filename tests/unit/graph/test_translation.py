"""What the driver raises becomes an error that says what to do."""

import pytest
from neo4j.exceptions import Neo4jError

from brainbridge.domain.errors import AuthenticationFailed
from brainbridge.graph.connection import Address, translated

ADDRESS = Address("neo4j+s://cluster.example:7687", "reader", "s3cret-word")


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("Neo.ClientError.Security.Forbidden", "may not do this"),
        ("Neo.ClientError.Security.Unauthorized", "wrong user name or password"),
        ("Neo.ClientError.Security.AuthenticationRateLimit", "Wait 10 s"),
        ("Neo.ClientError.Security.CredentialsExpired", "must be changed"),
    ],
)
def test_a_right_that_is_missing_is_no_wrong_password(code: str, said: str) -> None:
    """Only servers with roles refuse a right, and Community has none: the error is made as the driver makes it."""
    with pytest.raises(AuthenticationFailed, match=said) as refused, translated(ADDRESS):
        raise Neo4jError._hydrate_neo4j(code=code, message="not allowed")

    assert "s3cret-word" not in str(refused.value)
