import { expect, it } from '@jest/globals';
import {
  boardCounts,
  boardOf,
  boardSnapshot,
  type ChunkPosition,
  chunksAt,
  forgetChunk,
  freshSnapshot,
  isBoardDone,
  moveChunks,
  type PartitionBoard,
} from '../../../src/domain/batch/partition-board.ts';

const boardWith = (...moves: (readonly [number, ChunkPosition])[]): PartitionBoard =>
  moves.reduce(
    (board, [chunk, to]) => moveChunks(board, [chunk], to),
    boardOf(freshSnapshot(100, 3)),
  );

it('a board has the position of each chunk', () => {
  const board = boardWith([100, 'open'], [101, 'needsOperator']);
  expect(boardCounts(board)).toEqual({
    pending: 1,
    needsOperator: 1,
    open: 1,
    settled: 0,
    notSent: 0,
  });
  expect(chunksAt(board, 'needsOperator')).toEqual([101]);
});

it.each<[ChunkPosition, boolean]>([
  ['pending', false],
  ['needsOperator', false],
  ['open', false],
  ['settled', true],
  ['notSent', true],
])('a board whose last chunk is at %s is done: %s', (last, isDone) => {
  expect(isBoardDone(boardWith([100, 'settled'], [101, 'notSent'], [102, last]))).toBe(isDone);
});

it('a move leaves the board before it as it was', () => {
  const before = boardWith();
  moveChunks(before, [100], 'settled');
  expect(chunksAt(before, 'settled')).toEqual([]);
});

it.each<[ChunkPosition, number[]]>([
  ['open', [100]],
  ['settled', [100]],
  // It was never created, so that there is nothing to look for.
  ['notSent', []],
])('a chunk at %s that the store has forgotten is sent again', (position, forgotten) => {
  const board = forgetChunk(boardWith([100, position]), 100);
  expect([chunksAt(board, 'pending'), [...board.forgotten]]).toEqual([[100, 101, 102], forgotten]);
});

it('the next run continues with the rest, and counts the finished chunks', () => {
  const board = boardWith([100, 'settled'], [102, 'needsOperator']);
  const snapshot = boardSnapshot(moveChunks(board, [101], 'open'), 'stopped by hand');
  expect(snapshot).toMatchObject({
    pending: [],
    asked: [102],
    open: [101],
    stopped: 'stopped by hand',
  });
  const next = boardOf(snapshot);
  expect([boardCounts(next).settled, chunksAt(next, 'needsOperator')]).toEqual([1, [102]]);
});
