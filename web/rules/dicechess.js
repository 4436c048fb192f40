// The rules of Dice Chess, told with pictures.

/** @type {Rules} */
export const rules = [
  {
    title: 'Chess with a die',
    text: 'The men and the set-up are those of chess. Each turn begins with a throw that says which kind of man must move: pawn, knight, bishop, rook, queen or king. Kinds that cannot move are thrown again.',
  },
  {
    title: 'No check, no mate',
    text: 'The king may stand where it can be taken, and may step there. Whoever takes the king wins.',
  },
  {
    title: 'The special moves',
    text: 'Castling needs the throw of a king: the squares between must be empty, attacks do not matter. A pawn that arrives becomes a queen, rook, bishop or knight, as its player likes. Taking in passing works as in chess.',
  },
  {
    title: 'Three dice',
    text: 'In the other rule set three dice are thrown, and the same side makes up to three moves, one for each die, in any order. As many dice must be used as can be; taking the king ends the game at once.',
  },
];
