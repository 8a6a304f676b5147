#!/usr/bin/env python3
"""Writes the manual page of a program, in roff, from what its own help says.

usage: PROGRAM --experimental-dump-help | manual.py DATE VERSION > PROGRAM.1
"""
import json
import re
import sys


def escaped(text):
    """Text as roff shows it unchanged."""
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return re.sub(r"(?m)^([.'])", r"\\&\1", text)


def shown(arguments):
    """The arguments that a page has: not the help flags, which every command takes."""
    hidden = {"help", "version"}
    return [a for a in arguments if a.get("shouldDisplay", True) and a.get("valueName") not in hidden]


def name(argument, kind):
    """One spelling of an option: --data or -d."""
    return ("--" if kind["kind"] == "long" else "-") + kind["name"]


def synopsis(words, command):
    """The command line of a command, in bold and italics."""
    parts = ["\\fB" + escaped(" ".join(words)) + "\\fR"]
    if command.get("subcommands"):
        parts.append("\\fIsubcommand\\fR")
    for argument in shown(command.get("arguments", [])):
        value = "\\fI" + escaped(argument["valueName"]) + "\\fR"
        if argument["kind"] == "positional":
            text = value
        else:
            text = "\\fB" + escaped(name(argument, argument["preferredName"])) + "\\fR"
            text += "" if argument["kind"] == "flag" else " " + value
        if argument.get("isRepeating"):
            text += " ..."
        parts.append("[" + text + "]" if argument.get("isOptional") else text)
    return " ".join(parts)


def paragraphs(text):
    """A discussion as roff paragraphs; an example begins one of its own."""
    text = re.sub(r"\s*(Example: )", r"\n\n\1", text.strip())
    for paragraph in filter(None, text.split("\n\n")):
        yield ".PP"
        yield escaped(paragraph.replace("\n", " "))


def options(command):
    """The list of a command's arguments."""
    for argument in shown(command.get("arguments", [])):
        value = " \\fI" + escaped(argument["valueName"]) + "\\fR"
        names = ", ".join("\\fB" + escaped(name(argument, n)) + "\\fR" for n in argument.get("names", []))
        label = {"positional": value.strip(), "flag": names}.get(argument["kind"], names + value)
        yield ".TP"
        yield label
        text = argument.get("abstract", "")
        default = argument.get("defaultValue")
        yield escaped(text + (f" (default: {default})" if default else "")) or "\\&"


def commands(words, command):
    """A section for each subcommand that does something, whatever group it is in."""
    for sub in command.get("subcommands", []):
        path = words + [sub["commandName"]]
        if sub["commandName"] == "help" or not sub.get("shouldDisplay", True):
            continue
        if sub.get("subcommands"):
            yield from commands(path, sub)
            continue
        yield ".SS " + escaped(" ".join(path[1:]))
        yield synopsis(path, sub)
        yield from paragraphs(sub.get("abstract", ""))
        yield from paragraphs(sub.get("discussion", ""))
        yield from options(sub)


def page(command, date, version):
    """The whole page as lines."""
    program = command["commandName"]
    yield f'.TH {program.upper()} 1 "{date}" "promised {version}" "User Commands"'
    yield ".SH NAME"
    yield f"{escaped(program)} \\- {escaped(command['abstract'].rstrip('.'))}"
    yield ".SH SYNOPSIS"
    yield synopsis([program], command)
    yield ".SH DESCRIPTION"
    yield from list(paragraphs(command.get("discussion") or command["abstract"]))[1:]
    if shown(command.get("arguments", [])):
        yield ".SH OPTIONS"
        yield from options(command)
    if command.get("subcommands"):
        yield ".SH COMMANDS"
        yield from commands([program], command)
    yield ".SH SEE ALSO"
    others = [p for p in ("promise-load", "promisectl", "promised") if p != program]
    yield ", ".join(f"\\fB{escaped(p)}\\fR(1)" for p in others)


if __name__ == "__main__":
    help_of_program = json.load(sys.stdin)["command"]
    print("\n".join(page(help_of_program, sys.argv[1], sys.argv[2])))
