"""The records of the kernel: fields are attributes for Python and for compiled code."""

from __future__ import annotations

import numba
import numpy as np
import pytest

from burgrave.solver.kernel.records import record, record_type

NOW = record_type([("score", np.int32, 2)])
WHOLE = record_type([("now", NOW), ("past", NOW, 3), ("depth", np.int64)], align=True)


def test_fields_are_attributes() -> None:
    """Within records and arrays of records too; a copy shares nothing, and a slip is an error."""
    one = record(WHOLE)
    one.depth, one.now.score[1], one.past[2].score[:] = 4, 3, (7, 8)
    copy = one.copy()
    one.past[0] = one.past[2]
    assert one["past"]["score"].tolist() == [[7, 8], [0, 0], [7, 8]]
    assert (copy.depth, copy.now.score.tolist()) == (4, [0, 3])
    assert copy.past[0].score.tolist() == [0, 0]
    with pytest.raises(AttributeError):
        one.deepth = 1


def test_compiled_code_sees_numpys_own_record() -> None:
    """Type and place of each field are those of a plain record."""
    now = np.dtype([("score", np.int32, 2)])
    fields = [("now", now), ("past", now, 3), ("depth", np.int64)]
    assert numba.from_dtype(WHOLE) == numba.from_dtype(np.dtype(fields, align=True))
    assert numba.typeof(record(WHOLE)) == numba.from_dtype(WHOLE)
