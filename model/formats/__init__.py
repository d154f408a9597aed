"""The formats of other programs: JCloisterZone, Board Game Arena and CarcassonneLab."""
