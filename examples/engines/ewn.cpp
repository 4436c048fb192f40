// A whole engine for EinStein wuerfelt nicht! that speaks UGI with rolls (docs/protocol.md).
//
//   c++ -std=c++17 -O2 -o ewn ewn.cpp
//
// It plays random games from each of its moves and takes the move that wins most of them. Change
// `playout` or `choose` to make it stronger.

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <iostream>
#include <optional>
#include <random>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

enum Side { RED = 0, BLUE = 1 };

// A step of a cube from one cell to another; cells are counted row by row from the top left.
struct Move {
    int from, to;
};

const char *const START = "ABC2/DE3/F3f/3ed/2cba r - 1";

std::mt19937_64 random_bits{1};

int below(int count) { return static_cast<int>(random_bits() % count); }

struct Board {
    // The cell of each side's cubes 1 to 6 at index 0 to 5; -1 for a captured one.
    int cells[2][6];
    Side side = RED;

    bool alive(Side who) const {
        return std::any_of(cells[who], cells[who] + 6, [](int cell) { return cell >= 0; });
    }

    bool at(Side who, int goal) const {
        return std::find(cells[who], cells[who] + 6, goal) != cells[who] + 6;
    }

    std::optional<Side> winner() const {
        if (at(RED, 24) || !alive(BLUE)) return RED;
        if (at(BLUE, 0) || !alive(RED)) return BLUE;
        return std::nullopt;
    }

    // The moves of the cube that was rolled, or of its next living neighbours.
    std::vector<Move> moves(int roll) const {
        const int *own = cells[side];
        int cubes[2] = {-1, -1};
        if (own[roll - 1] >= 0) {
            cubes[0] = roll - 1;
        } else {
            for (int cube = 0; cube < roll - 1; ++cube)
                if (own[cube] >= 0) cubes[0] = cube;
            for (int cube = 5; cube > roll - 1; --cube)
                if (own[cube] >= 0) cubes[1] = cube;
        }
        const int step = side == RED ? 1 : -1;
        std::vector<Move> found;
        for (int cube : cubes) {
            if (cube < 0) continue;
            const int row = own[cube] / 5, column = own[cube] % 5;
            for (auto [down, right] : {std::pair{step, 0}, {0, step}, {step, step}}) {
                const int r = row + down, c = column + right;
                if (0 <= r && r < 5 && 0 <= c && c < 5) found.push_back({own[cube], 5 * r + c});
            }
        }
        return found;
    }

    // The cube removes whatever stands where it goes, own cubes as well.
    void play(Move move) {
        for (auto &cubes : cells)
            for (int &cell : cubes)
                if (cell == move.to) cell = -1;
        for (int &cell : cells[side])
            if (cell == move.from) cell = move.to;
        side = side == RED ? BLUE : RED;
    }
};

Side playout(Board board) {
    while (!board.winner()) {
        const auto moves = board.moves(1 + below(6));
        board.play(moves[below(static_cast<int>(moves.size()))]);
    }
    return *board.winner();
}

Move choose(const Board &board, int roll, std::chrono::milliseconds time) {
    const auto moves = board.moves(roll);
    std::vector<int> wins(moves.size());
    const auto end = std::chrono::steady_clock::now() + time;
    do {
        for (size_t n = 0; n < moves.size(); ++n) {
            Board after = board;
            after.play(moves[n]);
            wins[n] += playout(after) == board.side;
        }
    } while (std::chrono::steady_clock::now() < end);
    return moves[std::max_element(wins.begin(), wins.end()) - wins.begin()];
}

std::string name(int cell) {
    return {static_cast<char>('a' + cell % 5), static_cast<char>('5' - cell / 5)};
}

// The position of the driver: a board and, in a turn, its roll.
struct Turn {
    Board board;
    int roll = 0;

    explicit Turn(const std::string &text) {
        std::istringstream words(text);
        std::string rows, side, die;
        words >> rows >> side >> die;
        for (auto &cubes : board.cells) std::fill(cubes, cubes + 6, -1);
        int cell = 0;
        for (char sign : rows) {
            if ('1' <= sign && sign <= '5') cell += sign - '0';
            if (cell < 25 && 'A' <= sign && sign <= 'F') board.cells[RED][sign - 'A'] = cell++;
            if (cell < 25 && 'a' <= sign && sign <= 'f') board.cells[BLUE][sign - 'a'] = cell++;
        }
        if (cell != 25) throw std::runtime_error("'" + rows + "' is not a board");
        board.side = side == "b" ? BLUE : RED;
        roll = die.size() == 1 && '1' <= die[0] && die[0] <= '6' ? die[0] - '0' : 0;
    }

    void read(const std::string &word) {
        const bool rolls = roll == 0 && !board.winner();
        if (rolls && word.size() == 2 && word[0] == '@' && '1' <= word[1] && word[1] <= '6') {
            roll = word[1] - '0';
            return;
        }
        if (roll > 0 && !board.winner())
            for (Move move : board.moves(roll))
                if (name(move.from) + name(move.to) == word) {
                    board.play(move);
                    roll = 0;
                    return;
                }
        throw std::runtime_error("'" + word + "' is not a roll or a legal move");
    }
};

Turn position(std::istringstream &words) {
    std::string word, text;
    words >> word;
    if (word == "startpos") {
        text = START;
        words >> word;
    } else {
        while (words >> word && word != "moves") text += word + " ";
    }
    Turn turn(text);
    while (words >> word) turn.read(word);
    return turn;
}

// The time for a turn: what `movetime` says, or a fifteenth of the clock.
std::chrono::milliseconds time_for(std::istringstream &words, Side side) {
    long time = 100;
    for (std::string word; words >> word;) {
        if (word == "movetime") words >> time;
        if (word == (side == RED ? "p1time" : "p2time") && words >> time) time /= 15;
    }
    return std::chrono::milliseconds(std::max(0L, time - 5));
}

}  // namespace

int main() {
    Turn turn(START);
    for (std::string line; std::getline(std::cin, line);) {
        std::istringstream words(line);
        std::string command;
        words >> command;
        try {
            if (command == "quit") break;
            if (command == "ugi") {
                std::cout << "id name ewn.cpp\nid author you\nugiok\n";
            } else if (command == "isready") {
                std::cout << "readyok\n";
            } else if (command == "position") {
                turn = position(words);
            } else if (command == "uginewgame") {
                turn = Turn(START);
            } else if (command == "go") {
                if (turn.roll == 0 || turn.board.winner()) {
                    std::cout << "info string error: go: expected a roll and a game that is not over\n"
                                 "bestmove 0000\n";
                } else {
                    const Move move = choose(turn.board, turn.roll, time_for(words, turn.board.side));
                    std::cout << "bestmove " << name(move.from) << name(move.to) << "\n";
                }
            } else if (command == "query") {
                const auto won = turn.board.winner();
                words >> command;
                std::cout << "response "
                          << (command == "p1turn"     ? (turn.board.side == RED ? "true" : "false")
                              : command == "gameover" ? (won ? "true" : "false")
                              : !won                  ? "none"
                                                      : (*won == RED ? "p1win" : "p2win"))
                          << "\n";
            } else if (!command.empty() && command != "setoption" && command != "stop" && command != "ponderhit") {
                std::cout << "info string error: '" << command << "': expected a command of UGI\n";
            }
        } catch (const std::exception &error) {
            std::cout << "info string error: " << error.what() << "\n";
        }
        std::cout.flush();
    }
}
