"""Files: positions, records, tile sets and boards, as TOML for people or JSON the same."""
