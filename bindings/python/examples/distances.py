"""Plots how many positions are won or lost in how many plies: distances.py FILE (.png, .svg or .pdf)."""

import sys

import matplotlib

matplotlib.use('Agg')
import matplotlib.pyplot as plt
import numpy

import neutreeko

with neutreeko.Table() as table:
    values = table.values()
    longest = table.summary.longest

figure, axes = plt.subplots(figsize=(8, 4), layout='constrained')
for result, colour in (neutreeko.Result.WIN, 'tab:green'), (neutreeko.Result.LOSS, 'tab:red'):
    counts = numpy.bincount(values['plies'][values['result'] == result], minlength=longest + 1)
    plies = counts.nonzero()[0]
    axes.bar(plies, counts[plies], color=colour, label=f'{result.name.lower()}: {counts.sum():,}')
draws = int((values['result'] == neutreeko.Result.DRAW).sum())
axes.set(yscale='log', xlabel='plies to the end with optimal play', ylabel='positions',
         title=f'{len(values):,} positions of Neutreeko, {draws:,} of them draws')
axes.legend()
figure.savefig(sys.argv[1])
