"""Compare recorded games of JCloisterZone with our engine, and measure the speed.

python -m benchmarks.corpus FOLDER
"""

from __future__ import annotations

import sys
import time
from collections import Counter
from pathlib import Path

from tests.corpus import compare, games


def main(folder: Path) -> None:
    """Compare all games of a folder and print the sums."""
    compared: Counter[str] = Counter()
    number = different = 0
    begun = time.process_time()
    for path in sorted(folder.glob("*.jsonl.gz")):
        for record in games(path):
            found = compare(record)
            compared += found.compared
            number += 1
            different += len(found.differences)
            for difference in found.differences[:3]:
                print(difference[:400])
    seconds = time.process_time() - begun
    print(f"{number} games, {different} differences, {seconds:.1f} s of CPU")
    for what, times in compared.most_common():
        print(f"{times:8} {what}")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
