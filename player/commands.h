/* The commands of neutreeko. Each parses its own options and returns the exit status. */
#ifndef NK_COMMANDS_H
#define NK_COMMANDS_H

int command_play(int argc, char **argv);
int command_query(int argc, char **argv);
int command_line(int argc, char **argv);
int command_puzzle(int argc, char **argv);
int command_match(int argc, char **argv);
int command_engine(int argc, char **argv);
int command_review(int argc, char **argv);

#endif
