"""Prints how many positions are won or lost in how many plies."""

import numpy

import neutreeko

with neutreeko.Table() as table:
    values = table.values()

print(f'{len(values):,} positions of Neutreeko, {(values["result"] == neutreeko.Result.DRAW).sum():,} of them draws')
decided = values[values['result'] != neutreeko.Result.DRAW]
for plies, count in enumerate(numpy.bincount(decided['plies'])):
    if count:
        print(f'{"loss" if plies % 2 == 0 else "win "} in {plies:2} plies: {count:9,}')
