import { expect, test } from 'vitest'
import { LogBit, logOf, OperateType, type OperateTypeName } from './operations.ts'

// [R091] The operations, their numbers and their log entries.
test('[R091] each operation has the log entry of X9', () => {
  const names = Object.keys(OperateType) as OperateTypeName[]
  expect(names.map((name) => [OperateType[name], LogBit[logOf[name]]])).toEqual([
    [1, 2],
    [2, 4],
    [3, 8],
    [4, 16],
    [5, 32],
    [6, 64],
    [7, 128],
    [8, 256],
    [9, 512],
    [10, 1024],
    [11, 2048],
    [12, 16],
    [13, 16],
  ])
})

test('the log bits are the documented ones', () => {
  const documented = [
    2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 32768, 65536, 131072, 524288, 1048576, 2097152, 4194304, 8388608,
    16777216,
  ]
  expect(Object.values(LogBit)).toEqual(documented)
})
