#include "player/rating.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

enum { N = NK_MAX_PLAYERS };

static const double elo_per_unit = 400 / M_LN10; /* a strength is the natural logarithm of the odds */
static const double deviations = 1.959964;       /* half of an interval of 95 %, in standard deviations */

struct fit {
    int count;
    bool bounded[N][N]; /* [a][b]: the results bound how far a is above b */
    double games[N][N], draws[N][N];
    double points[N];
    double strength[N];
    double inverse[N][N]; /* of the information matrix at these strengths */
};

static double expected(const struct fit *fit, int a, int b)
{
    return 1 / (1 + exp(fit->strength[b] - fit->strength[a]));
}

/* A player is bounded by those who have scored against it, by those who have scored against these, and so on. */
static void find_bounds(struct fit *fit, const struct nk_results *results)
{
    for (int a = 0; a < fit->count; a++)
        for (int b = 0; b < fit->count; b++)
            fit->bounded[a][b] = a == b || results->wins[b][a] || results->draws[a][b];
    for (int via = 0; via < fit->count; via++)
        for (int a = 0; a < fit->count; a++)
            for (int b = 0; b < fit->count; b++)
                fit->bounded[a][b] |= fit->bounded[a][via] && fit->bounded[via][b];
}

/* Adds up the results, with one more draw where the difference of two players is not bounded on both sides. The
 * maximum of the likelihood then exists and is unique (L. R. Ford, 1957). */
static void add_results(struct fit *fit, const struct nk_results *results)
{
    for (int a = 0; a < fit->count; a++)
        for (int b = 0; b < fit->count; b++) {
            if (a == b)
                continue;
            fit->draws[a][b] = results->draws[a][b] + !(fit->bounded[a][b] && fit->bounded[b][a]);
            fit->games[a][b] = results->wins[a][b] + results->wins[b][a] + fit->draws[a][b];
            fit->points[a] += results->wins[a][b] + fit->draws[a][b] / 2;
        }
}

/* Inverts a symmetric positive definite matrix by Gauss-Jordan elimination. */
static void invert(int count, double matrix[N][N])
{
    for (int k = 0; k < count; k++) {
        const double pivot = matrix[k][k];
        matrix[k][k] = 1;
        for (int j = 0; j < count; j++)
            matrix[k][j] /= pivot;
        for (int i = 0; i < count; i++) {
            const double factor = matrix[i][k];
            if (i == k)
                continue;
            matrix[i][k] = 0;
            for (int j = 0; j < count; j++)
                matrix[i][j] -= factor * matrix[k][j];
        }
    }
}

/* Computes the inverse information matrix. The results determine strengths up to a constant only; adding 1 to all
 * elements makes the matrix regular and changes no difference. */
static void find_inverse(struct fit *fit)
{
    for (int a = 0; a < fit->count; a++) {
        double sum = 0;
        for (int b = 0; b < fit->count; b++) {
            const double e = expected(fit, a, b), information = fit->games[a][b] * e * (1 - e);
            fit->inverse[a][b] = 1 - information;
            sum += information;
        }
        fit->inverse[a][a] += sum;
    }
    invert(fit->count, fit->inverse);
}

/* One step of Newton's method, at most 1 for each player. Returns the largest change. */
static double improve(struct fit *fit)
{
    double gradient[N], step[N], largest = 0;
    for (int a = 0; a < fit->count; a++) {
        gradient[a] = fit->points[a];
        for (int b = 0; b < fit->count; b++)
            gradient[a] -= fit->games[a][b] * expected(fit, a, b);
    }
    for (int a = 0; a < fit->count; a++) {
        step[a] = 0;
        for (int b = 0; b < fit->count; b++)
            step[a] += fit->inverse[a][b] * gradient[b];
        largest = fmax(largest, fabs(step[a]));
    }
    for (int a = 0; a < fit->count; a++)
        fit->strength[a] += step[a] / fmax(1, largest);
    return largest;
}

static void maximise(struct fit *fit)
{
    double change = 1;
    for (int i = 0; i < 1000 && change > 1e-9; i++) {
        find_inverse(fit);
        change = improve(fit);
    }
    find_inverse(fit);
}

/* The variance of the points that a scores against b. One win and one loss more than observed: also if all games were
 * drawn, others could have been won. */
static double variance_of_points(const struct fit *fit, int a, int b)
{
    const double games = fit->games[a][b], e = expected(fit, a, b);
    const double drawn = games > 0 ? fit->draws[a][b] * games / (games + 2) : 0;
    return fmax(0, games * e * (1 - e) - drawn / 4);
}

/* The rating of a player relative to the weighted mean of all. The variance of the strengths follows from that of the
 * points ("sandwich": information^-1 variance information^-1). */
static struct nk_rating rate(const struct fit *fit, int player, const double weights[])
{
    double influence[N]; /* of the points of each player on this rating */
    double difference = fit->strength[player], variance = 0;
    struct nk_rating rating = {0};
    for (int a = 0; a < fit->count; a++) {
        difference -= weights[a] * fit->strength[a];
        influence[a] = fit->inverse[a][player];
        for (int b = 0; b < fit->count; b++)
            influence[a] -= weights[b] * fit->inverse[a][b];
    }
    for (int a = 0; a < fit->count; a++)
        for (int b = 0; b < a; b++)
            variance += variance_of_points(fit, a, b) * pow(influence[a] - influence[b], 2);
    rating.elo = elo_per_unit * difference;
    rating.low = rating.elo - deviations * elo_per_unit * sqrt(variance);
    rating.high = rating.elo + deviations * elo_per_unit * sqrt(variance);
    for (int a = 0; a < fit->count; a++) {
        if (weights[a] > 0 && !fit->bounded[player][a])
            rating.high = INFINITY;
        if (weights[a] > 0 && !fit->bounded[a][player])
            rating.low = -INFINITY;
    }
    return rating;
}

enum nk_status nk_rate(const struct nk_results *results, int anchor, struct nk_rating ratings[],
                       struct nk_error *error)
{
    double weights[N];
    struct fit *fit = calloc(1, sizeof *fit);
    if (!fit)
        return nk_fail_memory(error);
    fit->count = results->count;
    find_bounds(fit, results);
    add_results(fit, results);
    maximise(fit);
    for (int a = 0; a < fit->count; a++)
        weights[a] = anchor < 0 ? 1.0 / fit->count : a == anchor;
    for (int a = 0; a < fit->count; a++)
        ratings[a] = rate(fit, a, weights);
    free(fit);
    return NK_OK;
}
