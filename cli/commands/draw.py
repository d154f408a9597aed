"""``burgrave draw``: a picture of a position for the terminal, or as a file."""

from __future__ import annotations

from typing import Annotated

import typer

from burgrave.cli.options import (
    AsciiOption,
    ColourOption,
    Colours,
    ForceOption,
    JsonOption,
    PictureOption,
    PositionArgument,
    SiteOption,
    ThemeOption,
    TileOption,
    TurnOption,
    WidthOption,
)
from burgrave.cli.output import Colour, coloured, glyphs, note, show
from burgrave.model.errors import QuestionError

Cells = Annotated[
    list[str] | None,
    typer.Option(
        "--highlight", metavar="CELL", help="Mark this cell, like 3,4.", show_default=False
    ),
]
Features = Annotated[
    list[str] | None,
    typer.Option(
        "--feature",
        metavar="SEGMENT",
        help="Mark the feature of this segment, like 3,4.N.",
        show_default=False,
    ),
]
Moves = Annotated[
    list[str] | None,
    typer.Option(
        "--move",
        metavar="MOVE",
        help="Show a move; repeat it for a line of numbered moves.",
        show_default=False,
    ),
]
Legal = Annotated[bool, typer.Option("--legal", help="Mark the cells where the next tile may lie.")]
Bare = Annotated[bool, typer.Option("--no-coordinates", help="Leave out the coordinates.")]
Alone = Annotated[bool, typer.Option("--no-panel", help="Leave out players and tiles to come.")]
Below = Annotated[
    bool, typer.Option("--below", help="Put players and tiles to come below the board.")
]
Crop = Annotated[bool, typer.Option("--crop", help="Leave out empty parts of the board.")]
Thumbnail = Annotated[
    bool, typer.Option("--thumbnail", help="Draw tiles, followers and wall alone, to be small.")
]
Line = Annotated[
    bool,
    typer.Option("--line", help="Print the position as one line of text, to paste elsewhere."),
]


def draw(
    position: PositionArgument,
    output: PictureOption = None,
    highlight: Cells = None,
    feature: Features = None,
    move: Moves = None,
    legal: Legal = False,
    tile: TileOption = None,
    bare: Bare = False,
    alone: Alone = False,
    below: Below = False,
    crop: Crop = False,
    thumbnail: Thumbnail = False,
    theme: ThemeOption = Colours.AUTO,
    width: WidthOption = None,
    force: ForceOption = False,
    line: Line = False,
    site: SiteOption = None,
    color: ColourOption = Colour.AUTO,
    ascii_only: AsciiOption = False,
    at: TurnOption = None,
    as_json: JsonOption = False,
) -> None:
    """Draw a position on the terminal, or as a picture with -o."""
    from burgrave.cli.pictures import Wishes, check_target, check_width, picture, save_picture
    from burgrave.cli.render.legend import whole
    from burgrave.cli.sources import draft
    from burgrave.model.files.lines import write_line
    from burgrave.model.problems import problems

    wishes = Wishes(
        cells=highlight or (),
        features=feature or (),
        moves=move or (),
        legal=legal,
        tile=tile,
        bare=bare,
        alone=alone,
        below=below,
        crop=crop,
        small=thumbnail,
        theme=theme,
    )
    check_width(output, width)
    if site is not None:
        if line or output is not None or wishes.named():
            raise QuestionError(
                "--site prints a link alone: leave out --line and what is for pictures"
            )
        from burgrave.cli.drawings import MOST_LETTERS, drawing_named, link
        from burgrave.cli.publish.preview import web_address

        url = link(web_address(site), drawing_named(position, at))
        show({"link": url}, url, as_json=as_json, picture=True)
        if len(url) > MOST_LETTERS:
            note(f"The link has {len(url)} letters; some chats and mails cut off so long a one.")
        return
    if line and (output is not None or wishes.named()):
        raise QuestionError("--line prints text alone: leave out what is for pictures")
    if output is None:
        if wishes.named():
            raise QuestionError(f"{wishes.named()[0]} is for pictures: add -o board.svg")
        read = draft(position, at)
        if line:
            text = write_line(read.position)
            show({"line": text}, text, as_json=as_json, picture=True)
        else:
            lines = whole(read.position, glyphs(plain=ascii_only)).lines(colour=coloured(color))
            show({"lines": lines}, "\n".join(lines), as_json=as_json, picture=True)
    else:
        check_target(output, force=force)
        read = draft(position, at)
        save_picture(output, picture(read.position, wishes), width)
        if as_json:
            show({"file": str(output)}, "", as_json=True)
    if problems(read.position, read.lines):
        note("This position is impossible; burgrave check says why.")
