"""Finds functions, their doc comments and all other comments in Rust, Go, TypeScript, JavaScript and Python.

It reads source on its own, and not through `sdk/code`: what is measured must not say what is right.
"""

import ast
import bisect
import io
import re
import tokenize
from dataclasses import dataclass

LANGUAGES = {".rs": "rust", ".go": "go", ".ts": "typescript", ".tsx": "typescript", ".js": "javascript", ".py": "python"}


@dataclass
class Function:
    path: str
    name: str
    first: int  # lines from 1; with attributes and decorators, without the comment above
    last: int
    doc: str


def read(path, text, language):
    """The text without comments, as long in lines as before, and its functions."""
    if language == "python":
        return _python(path, text)
    return _braces(path, text, language)


# Python


def _python(path, text):
    tree = ast.parse(text)
    lines = text.split("\n")
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT:
            row, column = token.start
            lines[row - 1] = lines[row - 1][:column].rstrip()
    found = []
    for node in ast.walk(tree):
        if not isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)):
            continue
        doc = ast.get_docstring(node)
        if doc is not None:
            _blank_docstring(lines, node)
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            first = min([node.lineno] + [one.lineno for one in node.decorator_list])
            found.append(Function(path, node.name, first, node.end_lineno, doc or ""))
    found.sort(key=lambda one: one.first)
    return "\n".join(lines), found


def _blank_docstring(lines, node):
    string = node.body[0]
    first, last = string.lineno - 1, string.end_lineno - 1
    # Columns count bytes.
    before = lines[first].encode()[: string.col_offset].decode()
    after = lines[last].encode()[string.end_col_offset :].decode() if last > first else ""
    rest = "pass" if len(node.body) == 1 and not isinstance(node, ast.Module) else ""
    for line in range(first, last + 1):
        lines[line] = ""
    lines[first] = (before + rest).rstrip()
    if after.strip():
        lines[last] = after


# Languages with braces


def _braces(path, text, language):
    code, bare, comments = _without_comments(text, language)
    if language == "rust":
        code, bare = _without_test_modules(code, bare)
    starts = [0] + [place.end() for place in re.finditer("\n", text)]
    line_of = lambda at: bisect.bisect_right(starts, at)
    lines = code.split("\n")
    documents = _documents(text, comments, lines, line_of, language)
    found = []
    for name, begin, end in _spans(bare, language):
        first = line_of(begin)
        while first > 1 and re.match(r"\s*(#\[|@\w)", lines[first - 2]):
            first -= 1
        doc = _above(first, documents, lines)
        found.append(Function(path, name, first, line_of(max(begin, end - 1)), doc))
    return code, found


def _without_comments(text, language):
    """The code with blanks for comments, the same with blanks for what strings hold too, and the comments."""
    code, bare, comments = list(text), list(text), []

    def blank(target, begin, end):
        for at in range(begin, end):
            if target[at] != "\n":
                target[at] = " "

    def string(begin, end):
        blank(bare, begin + 1, end - 1)
        return end

    at, nested, depth = 0, [], 0
    before = ""  # the last thing that is no blank
    while at < len(text):
        rest = text[at : at + 2]
        letter = text[at]
        if rest == "//":
            end = text.find("\n", at)
            end = len(text) if end < 0 else end
        elif rest == "/*":
            end = _block_end(text, at, language == "rust")
        else:
            end = None
        if end is not None:
            comments.append((at, end))
            blank(code, at, end)
            blank(bare, at, end)
            at = end
            continue
        if letter == '"' or (letter == "'" and language in ("typescript", "javascript")):
            at = string(at, _string_end(text, at, letter, language == "rust"))
        elif letter == "'" and (rune := re.compile(r"'(?:\\.[^'\n]*|[^'\\\n])'").match(text, at)):
            at = string(at, rune.end())
        elif language == "rust" and letter == "r" and not re.match(r"\w", before) and (
            raw := re.compile(r'r(#*)"').match(text, at)
        ):
            close = text.find('"' + raw.group(1), raw.end())
            at = string(at, len(text) if close < 0 else close + 1 + len(raw.group(1)))
        elif letter == "`" and language == "go":
            close = text.find("`", at + 1)
            at = string(at, len(text) if close < 0 else close + 1)
        elif letter == "`" or (letter == "}" and nested and nested[-1] == depth):
            # A template runs to its end or to the next `${`, where code begins again.
            if letter == "}":
                nested.pop()
            end = re.compile(r"(?:\\.|\$(?!\{)|[^`\\$])*", re.S).match(text, at + 1).end()
            blank(bare, at, min(end + 1, len(text)))
            if text[end : end + 2] == "${":
                blank(bare, end, end + 2)
                nested.append(depth)
                end += 1
            at = end + 1
            letter = "`"
        elif letter == "/" and language in ("typescript", "javascript") and _begins_pattern(text, at, before):
            end = re.compile(r"/(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\[\n])+/").match(text, at)
            at = string(at, end.end()) if end else at + 1
        else:
            depth += {"{": 1, "}": -1}.get(letter, 0)
            at += 1
        if not letter.isspace():
            before = letter
    return "".join(code), "".join(bare), comments


def _block_end(text, at, nests):
    depth, at = 1, at + 2
    for mark in re.compile(r"/\*|\*/").finditer(text, at):
        depth += 1 if mark.group() == "/*" and nests else -1 if mark.group() == "*/" else 0
        if depth == 0:
            return mark.end()
    return len(text)


def _string_end(text, at, quote, many_lines):
    inner = rf"(?:\\.|[^{quote}\\])*" if many_lines else rf"(?:\\.|[^{quote}\\\n])*"
    return min(re.compile(inner, re.S).match(text, at + 1).end() + 1, len(text))


def _begins_pattern(text, at, before):
    if before == "" or before in "(,=:[!&|?{};+-*%~^<>":
        return True
    return re.search(r"\b(return|typeof|case|of|in)\s*$", text[max(0, at - 12) : at]) is not None


def _without_test_modules(code, bare):
    for place in reversed(list(re.finditer(r"#\[cfg\((?:all\()?test\b[^\n]*\]\s*(?:#\[[^\n]*\]\s*)*(?:pub\s+)?mod\s+\w+\s*\{", bare))):
        end = _closed(bare, place.end() - 1)
        empty = re.sub(r"[^\n]", " ", code[place.start() : end])
        code = code[: place.start()] + empty + code[end:]
        bare = bare[: place.start()] + empty + bare[end:]
    return code, bare


def _closed(bare, at):
    """Behind the bracket that closes the one here."""
    pairs, depth = {"(": ")", "{": "}", "[": "]"}, 0
    opening, closing = bare[at], pairs[bare[at]]
    for mark in re.compile("[" + re.escape(opening + closing) + "]").finditer(bare, at):
        depth += 1 if mark.group() == opening else -1
        if depth == 0:
            return mark.end()
    return len(bare)


RUST = re.compile(
    r"^[ \t]*(?:pub(?:\([^)]*\))?\s+)?(?:default\s+)?(?:const\s+)?(?:async\s+)?(?:unsafe\s+)?"
    r"(?:extern\s+(?:\"[^\"]*\"\s*)?)?fn\s+(?P<name>\w+)", re.M)
GO = re.compile(r"^func\s+(?:\([^)]*\)\s*)?(?P<name>\w+)", re.M)
TS_FUNCTION = re.compile(
    r"^[ \t]*(?:export\s+)?(?:default\s+)?(?:declare\s+)?(?:async\s+)?function\s*\*?\s*(?P<name>[\w$]+)", re.M)
TS_VALUE = re.compile(
    r"^[ \t]*(?:export\s+)?(?:const|let)\s+(?P<name>[\w$]+)\s*(?::[^=\n]*)?=\s*(?:async\s+)?(?P<body>function\b|(?:<[^>\n]*>\s*)?\()", re.M)
TS_METHOD = re.compile(
    r"^[ \t]+(?:(?:public|private|protected|static|async|override|readonly|get|set)\s+)*(?P<name>[\w$]+)\s*(?:<[^>\n]*>)?\(", re.M)
NO_METHOD = {"if", "for", "while", "switch", "catch", "return", "function", "super", "with", "await", "typeof", "new"}


def _spans(bare, language):
    if language == "rust":
        return [(one["name"], one.start(), _body(bare, one.end(), language)) for one in RUST.finditer(bare)]
    if language == "go":
        return [(one["name"], one.start(), _body(bare, one.end(), language)) for one in GO.finditer(bare)]
    found = [(one["name"], one.start(), _body(bare, one.end(), language)) for one in TS_FUNCTION.finditer(bare)]
    for one in TS_VALUE.finditer(bare):
        if one["body"] == "function":
            found.append((one["name"], one.start(), _body(bare, one.end(), language)))
            continue
        arrow = re.compile(r"\s*(?::[^={;]*?)?=>\s*").match(bare, _closed(bare, one.end() - 1))
        if arrow:
            at = arrow.end()
            end = _closed(bare, at) if bare[at : at + 1] in ("{", "(") else (bare.find("\n", at) + 1 or len(bare))
            found.append((one["name"], one.start(), end))
    for one in TS_METHOD.finditer(bare):
        body = re.compile(r"\s*(?::[^;{}=]*?)?\{").match(bare, _closed(bare, one.end() - 1))
        if body and one["name"] not in NO_METHOD:
            found.append((one["name"], one.start(), _closed(bare, body.end() - 1)))
    return sorted(found, key=lambda one: one[1])


def _body(bare, at, language):
    """The end of a function whose name ends here: behind its body, or behind its signature when it has none."""
    while at < len(bare):
        letter = bare[at]
        if letter in "([":
            at = _closed(bare, at)
        elif letter == "{":
            before = bare[:at].rstrip()
            is_type = before.endswith(("interface", "struct")) or (
                language in ("typescript", "javascript") and before.endswith((":", "|", "&", "<", "=>", ","))
            )
            at = _closed(bare, at)
            if not is_type:
                return at
        elif letter == ";":
            return at + 1
        elif letter == "\n" and language in ("typescript", "javascript", "go") and re.compile(
            r"\n\s*(?:export|function|declare|const|let|type|interface|func|var|\}|$)"
        ).match(bare, at):
            return at
        else:
            at += 1
    return len(bare)


def _documents(source, comments, lines, line_of, language):
    """Doc comments by their last line: where they begin, and what they say."""
    documents = {}
    for begin, end, text in _texts(source, comments, lines, line_of, language):
        before = documents.pop(begin - 1, None) if text.startswith("//") else None
        documents[end] = (before[0], before[1] + "\n" + text) if before else (begin, text)
    return documents


def _texts(source, comments, lines, line_of, language):
    wanted = {"rust": ("///", "/**"), "go": ("//", "/*")}.get(language, ("/**",))
    for at, end in comments:
        first, last = line_of(at), line_of(max(at, end - 1))
        text = source[at:end]
        if text.startswith(wanted) and not text.startswith("////") and not lines[first - 1].strip():
            yield first, last, text


def _above(first, documents, lines):
    _begin, text = documents.get(first - 1, (0, ""))
    if text.startswith("/*"):
        text = re.sub(r"^/\*+|\*+/$", "", text)
        return "\n".join(re.sub(r"^\s*\*? ?", "", line) for line in text.split("\n"))
    return "\n".join(re.sub(r"^/{2,3} ?", "", line) for line in text.split("\n"))


def sentence(doc, name):
    """The first sentence of a doc comment as plain words, without the function's own name in front.

    Go's convention is to begin with that name, which would make a question of words one of a name.
    """
    paragraph = []
    for line in doc.strip().split("\n"):
        line = line.strip()
        if not line or line.startswith(("@", "#", "```", ":", ">>>", "//go:", "go:")):
            break
        paragraph.append(line)
    text = " ".join(" ".join(paragraph).split())
    text = re.sub(r"\[([^\]]*)\](?:\([^)]*\)|\[[^\]]*\])?", r"\1", text).replace("`", "")
    text = re.split(r"(?<=[.!?])\s", text, maxsplit=1)[0]
    first, _, rest = text.partition(" ")
    return rest if first.strip("*.:()") == name else text
