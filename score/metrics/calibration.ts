/** How far stated confidence is from being right. Pure. */
export interface Statement {
  readonly confidence: number;
  readonly isRight: boolean;
}

const BINS = 10;

/** Expected calibration error: ten bins of equal width, the gap of each by how many are in it. */
export function calibrationError(statements: readonly Statement[]): number {
  const bins = Array.from({ length: BINS }, () => ({ count: 0, confidence: 0, right: 0 }));
  for (const { confidence, isRight } of statements) {
    const bin = bins[Math.min(BINS - 1, Math.floor(confidence * BINS))]!;
    bin.count += 1;
    bin.confidence += confidence;
    bin.right += Number(isRight);
  }
  const gaps = bins.map(({ confidence, right }) => Math.abs(confidence - right));
  return gaps.reduce((sum, gap) => sum + gap, 0) / statements.length;
}

export function brierScore(statements: readonly Statement[]): number {
  const squares = statements.map(({ confidence, isRight }) => (confidence - Number(isRight)) ** 2);
  return squares.reduce((sum, square) => sum + square, 0) / statements.length;
}

/** How likely a right statement is stated more surely than a wrong one; ties count half. Undefined without both. */
export function separation(statements: readonly Statement[]): number | undefined {
  const right = statements.filter(({ isRight }) => isRight);
  const wrong = statements.filter(({ isRight }) => !isRight);
  if (right.length === 0 || wrong.length === 0) return undefined;
  let wins = 0;
  for (const one of right)
    for (const other of wrong)
      wins += one.confidence > other.confidence ? 1 : one.confidence === other.confidence ? 0.5 : 0;
  return wins / (right.length * wrong.length);
}
