"""An environment for reinforcement learning, with the methods of Gymnasium: python3 environment.py [GAMES]

The reward of a move is its exact regret: 0 if it keeps the result with optimal play, -1 for a mistake, -2 for a
blunder. Prints the average regret of a random and of the perfect agent."""

import sys

import numpy

import neutreeko


class Environment:
    """One side of a game against an opponent. An action is a number 8 * p + d: piece p of the side to move, in the
    order of their squares, slides in direction d, clockwise from north. An observation has the squares of the side to
    move and of its opponent, as two boards of zeros and ones."""

    def __init__(self, opponent='level:3'):
        self.table = neutreeko.Table()
        self.opponent = opponent

    def reset(self, *, seed=None, options=None):
        """Begins a game at a random fair start. `options` may have a `position`."""
        self.random = numpy.random.default_rng(seed)
        start = (options or {}).get('position') or self.random.choice(self.table.fair_starts())
        self.game = self.table.game(start)
        return self._observation(), self._info()

    def step(self, action):
        """Plays a move, and that of the opponent."""
        before, move = self.game.value(), self._moves().get(action)
        if move is None:
            raise ValueError(f'action {action}: expected one of {sorted(self._moves())}')
        after = next(choice.value for choice in self.game.choices() if choice.move == move)
        self.game.play(move)
        if self.game.end is None:
            self.game.play(self.game.opponent_move(self.opponent, int(self.random.integers(1 << 62))))
        reward = float(after.result.number - before.result.number)
        return self._observation(), reward, self.game.end is not None, False, self._info()

    def _observation(self):
        position, (width, height, *_) = self.game.position, self.table.board
        return numpy.array([[mask >> square & 1 for square in range(width * height)]
                            for mask in (position.mover, position.other)], 'i1').reshape(2, height, width)

    def _info(self):
        return {'moves': self._moves(), 'game': self.game}

    def _moves(self):
        """The legal moves by the number of their action."""
        if self.game.end is not None:
            return {}
        position, legal = self.game.position, set(self.game.position.moves())
        masks = {'mover': position.mover, 'other': position.other}
        moves = {action: self.table.rules.best_moves({**masks, 'best': 1 << action})[0]
                 for action in range(8 * self.table.board.pieces)}
        return {action: move for action, move in moves.items() if move in legal}


def main():
    games = int(sys.argv[1]) if len(sys.argv) > 1 else 100
    environment = Environment()
    for name in 'random', 'perfect':
        rewards = []
        for seed in range(games):
            _, info = environment.reset(seed=seed)
            while info['moves'] and len(info['game'].moves) < 100:
                move = info['game'].opponent_move(name, seed=seed)
                action = next(action for action, one in info['moves'].items() if one == move)
                _, reward, _, _, info = environment.step(action)
                rewards.append(reward)
        print(f'{name}: regret {-numpy.mean(rewards) + 0.0:.2f} a move')


if __name__ == '__main__':
    main()
