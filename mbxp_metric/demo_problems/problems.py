"""Problems that belong to no benchmark: what the converter is tried on, from end to end.

Each function is one problem: signature, docstring and a Python solution, then its asserts. The
same problems are solved by hand in every target language, see `solutions/`. Between them they hold
each kind of value that can be converted.
"""


def zigzag_seat(ticket, end):
    """Seats on a ferry are numbered from 0 to end. Tickets 0, 1, 2, … are seated along the row,
    then back along it, then along it again; whoever turns round takes the same seat once more.
    Find the seat number of a ticket.

    >>> zigzag_seat(5, 3)
    2
    """
    place = ticket % (2 * (end + 1))
    return place if place <= end else 2 * end + 1 - place


assert zigzag_seat(0, 3) == 0
assert zigzag_seat(3, 3) == 3
assert zigzag_seat(4, 3) == 3
assert zigzag_seat(5, 3) == 2
assert zigzag_seat(17, 3) == 1
assert zigzag_seat(9, 0) == 0


def next_chime(stamp_ms, every_ms):
    """A clock chimes whenever its time in milliseconds is a multiple of every_ms. Find the time of
    the first chime after stamp_ms; a chime at that very moment is already over.

    >>> next_chime(59999, 60000)
    60000
    >>> next_chime(4102444800000, 900000)
    4102445700000
    """
    return stamp_ms // every_ms * every_ms + every_ms


assert next_chime(59999, 60000) == 60000
assert next_chime(4102444800000, 900000) == 4102445700000
assert next_chime(0, 7) == 7
assert next_chime(9007199254000001, 1000) == 9007199254001000


def candle_height(start_cm, minutes, in_wind):
    """A candle loses one percent of its height every minute, and a further tenth of a centimetre
    every minute if it stands in the wind; each minute the percent comes first. Find its height
    after the given minutes. It is never less than nothing.

    >>> candle_height(20.0, 1, False)
    19.8
    """
    height = start_cm
    for _ in range(minutes):
        height = height * 0.99
        if in_wind:
            height = max(height - 0.1, 0.0)
    return height


assert abs(candle_height(20.0, 1, False) - 19.8) < 1e-9
assert abs(candle_height(12.5, 30, False) - 9.246) < 1e-3
assert abs(candle_height(12.5, 30, True) - 6.6432) < 1e-3
assert abs(candle_height(10.2020202020202, 1, True) - 10.0) < 1e-6
assert candle_height(0.25, 9, True) == 0.0
assert candle_height(7.5, 0, True) == 7.5


def frame_note(note, mark):
    r"""Put the mark before and behind every line of a note.

    >>> frame_note("two\nlines", "$")
    '$two$\n$lines$'
    """
    return mark + note.replace("\n", mark + "\n" + mark) + mark


assert frame_note("two\nlines", "$") == "$two$\n$lines$"
assert frame_note('say "hi" for $name', "'") == "'say \"hi\" for $name'"
assert frame_note("C:\\new\\table\t#{x} ${y} @home %d", "*/") == (
    "*/C:\\new\\table\t#{x} ${y} @home %d*/"
)
assert frame_note("naïve ☕\n😀", "é") == "énaïve ☕é\né😀é"
assert frame_note("", "//") == "////"
assert frame_note("\n", "`") == "``\n``"


def snake_rows(rows):
    """A game board is read like a snake moves: the first row forwards, the second backwards, the
    third forwards and so on. Write the rows in the order in which their fields are read.

    >>> snake_rows([[1, 2, 3], [4, 5, 6]])
    [[1, 2, 3], [6, 5, 4]]
    """
    return [row[::-1] if index % 2 else row for index, row in enumerate(rows)]


assert snake_rows([[1, 2, 3], [4, 5, 6]]) == [[1, 2, 3], [6, 5, 4]]
assert snake_rows([]) == []
assert snake_rows([[], [7, -8], []]) == [[], [-8, 7], []]
assert snake_rows([[1, 2], [3, 4], [5, 6], [7, 8]]) == [[1, 2], [4, 3], [5, 6], [8, 7]]


def shift_points(points, delta):
    """Move every point of the plane by the same delta and keep the order of the points.

    >>> shift_points([(1, 2), (0, 0)], (10, -1))
    [(11, 1), (10, -1)]
    """
    return [(x + delta[0], y + delta[1]) for x, y in points]


assert shift_points([(1, 2), (0, 0)], (10, -1)) == [(11, 1), (10, -1)]
assert shift_points([(5, 5)], (0, 0)) == [(5, 5)]
assert shift_points([], (3, 4)) == []


def settle_scores(scores, winner):
    """The winner of a round gets a point for every other player. Return the new scores. A winner
    who has no score yet starts at 0.

    >>> settle_scores({"ann": 1, "bo": 4, "cy": 0}, "cy")
    {'ann': 1, 'bo': 4, 'cy': 2}
    """
    others = len([name for name in scores if name != winner])
    return {**scores, winner: scores.get(winner, 0) + others}


assert settle_scores({"ann": 1, "bo": 4, "cy": 0}, "cy") == {"ann": 1, "bo": 4, "cy": 2}
assert settle_scores({'the "boss"': 7}, 'the "boss"') == {'the "boss"': 7}
assert settle_scores({"é$": -2, "a\\b": 3}, "new") == {"a\\b": 3, "é$": -2, "new": 2}
assert settle_scores({}, "ann") == {"ann": 0}


def fill_week(plan, default):
    """A plan says how many hours are worked on some of the days 1 to 5. Complete it with the
    default for the other days.

    >>> fill_week({2: 8, 4: 6}, 7)
    {1: 7, 2: 8, 3: 7, 4: 6, 5: 7}
    """
    return {day: plan.get(day, default) for day in range(1, 6)}


assert fill_week({2: 8, 4: 6}, 7) == {1: 7, 2: 8, 3: 7, 4: 6, 5: 7}
assert fill_week({}, 0) == {1: 0, 2: 0, 3: 0, 4: 0, 5: 0}
assert fill_week({5: 1, 1: 0}, 3) == {1: 0, 2: 3, 3: 3, 4: 3, 5: 1}


def mirror_floors(lit_floors, top):
    """The windows of a tower are mirrored in a lake: floor 0 looks like floor top, floor 1 like
    the one below it, and so on. Return all floors that seem to be lit, whether they are or not.

    >>> sorted(mirror_floors({0, 3}, 9))
    [0, 3, 6, 9]
    """
    return lit_floors | {top - floor for floor in lit_floors}


assert mirror_floors({0, 3}, 9) == {0, 3, 6, 9}
assert mirror_floors({2, 4, 6}, 8) == {6, 2, 4}
assert mirror_floors(set(), 5) == set()
assert mirror_floors({-1, 12}, 10) == {-1, -2, 11, 12}


def first_letters(names):
    """Collect the first letters of the names; a name that was left empty has none.

    >>> first_letters(["Oslo", "Lima", "", "Omsk"]) == {"L", "O"}
    True
    """
    return {name[0] for name in names if name}


assert first_letters(["Oslo", "Lima", "", "Omsk"]) == {"L", "O"}
assert first_letters(["", ""]) == set()
assert first_letters(["$5", '"q"', "\\n", "'s'"]) == {"'", '"', "$", "\\"}
assert first_letters([]) == set()


def next_bus(departures, now):
    """Buses leave at the given minutes, which are in no order. Find the minute of the next one
    from now on; a bus that leaves now can still be caught. Return None after the last bus.

    >>> next_bus([40, 10, 25], 11)
    25
    >>> next_bus([40, 10, 25], 41)
    None
    """
    return min((minute for minute in departures if minute >= now), default=None)


assert next_bus([40, 10, 25], 11) == 25
assert next_bus([40, 10, 25], 41) is None
assert next_bus([30, 0], 30) == 30
assert next_bus([0], 0) == 0
assert next_bus([], 5) == None  # noqa: E711


def greet_guest(guest_name, title):
    """Write the line that greets a guest: title and name, or the name alone without a title. An
    empty title is a title too: one that is not spoken aloud.

    >>> greet_guest("Kim", "Dr.")
    'Welcome, Dr. Kim!'
    >>> greet_guest("Kim", None)
    'Welcome, Kim!'
    """
    return f"Welcome, {guest_name}!" if title is None else f"Welcome, {title} {guest_name}!"


assert greet_guest("Kim", "Dr.") == "Welcome, Dr. Kim!"
assert greet_guest("Kim", None) == "Welcome, Kim!"
assert greet_guest("Ünal", "") == "Welcome,  Ünal!"
assert greet_guest("None", None) == "Welcome, None!"


def is_inside_garden_fence(x, y, type):
    """A fence stands around the point (0, 0). Its type is "round", at a distance of 10 from it, or
    "square", with sides of 20 along the axes. Is the point (x, y) inside? On the fence is outside.

    >>> is_inside_garden_fence(8.0, 8.0, "square")
    True
    >>> is_inside_garden_fence(8.0, 8.0, "round")
    False
    """
    if type == "round":
        return x * x + y * y < 100
    return abs(x) < 10 and abs(y) < 10


assert is_inside_garden_fence(8.0, 8.0, "square")
assert not is_inside_garden_fence(8.0, 8.0, "round")
assert is_inside_garden_fence(-6.0, 8.0, "round") == False  # noqa: E712
assert is_inside_garden_fence(-9.5, -9.25, "square") is True
assert is_inside_garden_fence(0.0, -10.0, "square") is False


def cups_in_tower(floors, gap):
    """In a tower of cups, floor 1 has one cup, floor 2 two, and so on; but every floor whose number
    is a multiple of gap is a sheet of paper instead. Count the cups.

    >>> cups_in_tower(4, 3)
    7
    """
    return sum(floor for floor in range(1, floors + 1) if floor % gap != 0)


def test_cups_in_tower():
    gap = 3
    assert cups_in_tower(4, gap) == 7
    assert cups_in_tower(0, 2) == 0
    for floors in range(1, 4):
        assert cups_in_tower(floors, 1) == 0
        assert cups_in_tower(floors, 10) == floors * (floors + 1) // 2


def two_piles(parcel):
    """Deal the things in a parcel onto two piles in turn, beginning with the first pile.

    >>> two_piles([1, "one", True])
    [[1, True], ['one']]
    """
    return [parcel[::2], parcel[1::2]]


assert two_piles([1, "one", True]) == [[1, True], ["one"]]
assert two_piles(["1", 1.5, None, [2, 3]]) == [["1", None], [1.5, [2, 3]]]
assert two_piles([False]) == [[False], []]


def smooth_path(heights):
    """A path is smoothed by standing a new pole halfway between each two neighbouring poles and
    taking the old ones away. Return the heights of the new poles.

    >>> smooth_path([1.0, 2.0, 4.0])
    [1.5, 3.0]
    """
    return [(heights[at] + heights[at + 1]) / 2 for at in range(len(heights) - 1)]


assert smooth_path([1.0, 2.0, 4.0]) == [1.5, 3.0]
assert smooth_path([0.1, 0.2]) == [0.15000000000000002]
assert smooth_path([3, -3, 1.25]) == [0, -0.875]
assert smooth_path([8.5]) == []


def press_switch(lamps, at):
    """Pressing the switch of a lamp in a row turns it and its neighbours on if they were off, and
    off if they were on. Return the row after the switch of the lamp at the given place is pressed.

    >>> press_switch([False, False, True, False], 1)
    [True, True, False, False]
    """
    return [lamp != (abs(place - at) <= 1) for place, lamp in enumerate(lamps)]


assert press_switch([False, False, True, False], 1) == [True, True, False, False]
assert press_switch([True], 0) == [False]
assert press_switch([True, True, False], 2) == [True, False, True]
assert press_switch([False, True, True, True], 0) == [True, False, True, True]


def compare(left, right):
    """Two ropes lie side by side. Return "assert" if the left one is the longer, "compare" if the
    right one is, and "_" if they are as long as each other.

    >>> compare(3, 2)
    'assert'
    """
    return "assert" if left > right else "compare" if left < right else "_"


assert compare(3, 2) == "assert"
assert compare(2, 3) == "compare"
assert compare(2, 2) == "_"
