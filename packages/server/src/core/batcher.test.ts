import { describe, expect, test, vi } from 'vitest'
import { batched, type Outcome } from './batcher.ts'

describe('work that is gathered', () => {
  test('begins with the first at once; what comes meanwhile follows together, in its order and at most so many', async () => {
    const begun: { inputs: readonly number[]; end: (outcomes: readonly Outcome<string>[]) => void }[] = []
    const ask = batched({ most: 3, atOnce: 1 }, (inputs: readonly number[]) => {
      const { promise, resolve } = Promise.withResolvers<readonly Outcome<string>[]>()
      begun.push({ inputs, end: resolve })
      return promise
    })
    const answers = [1, 2, 3, 4, 5].map((input) => ask(input))
    expect(begun.map(({ inputs }) => inputs)).toEqual([[1]])
    begun[0]?.end([{ value: 'one' }])
    expect(await answers[0]).toBe('one')
    await vi.waitFor(() => expect(begun).toHaveLength(2), 120_000)
    expect(begun.map(({ inputs }) => inputs)).toEqual([[1], [2, 3, 4]])
    const refused = new Error('three')
    begun[1]?.end([{ value: 'two' }, { error: refused }, { value: 'four' }])
    expect(await Promise.allSettled(answers.slice(1, 4))).toEqual([
      { status: 'fulfilled', value: 'two' },
      { status: 'rejected', reason: refused },
      { status: 'fulfilled', value: 'four' },
    ])
    await vi.waitFor(() => expect(begun).toHaveLength(3), 120_000)
    expect(begun[2]?.inputs).toEqual([5])
    begun[2]?.end([])
    await expect(answers[4]).rejects.toThrow('nothing became of')
  })

  test('fails for all who took part when the work fails, and goes on with the next', async () => {
    let attempt = 0
    const ask = batched({ most: 10, atOnce: 1 }, (inputs: readonly number[]) => {
      attempt += 1
      return attempt === 1 ? Promise.reject(new Error('broken')) : Promise.resolve(inputs.map((value) => ({ value })))
    })
    const answers = [ask(1), ask(2), ask(3)]
    expect(await Promise.allSettled(answers)).toMatchObject([
      { status: 'rejected' },
      { status: 'fulfilled', value: 2 },
      { status: 'fulfilled', value: 3 },
    ])
  })

  test('waits for those that are known to come, not longer than patience allows; who fails to come fails alone', async () => {
    vi.useFakeTimers()
    const begun: (readonly number[])[] = []
    const ask = batched({ most: 3, atOnce: 1, patienceMs: 5 }, (inputs: readonly number[]) => {
      begun.push(inputs)
      return Promise.resolve(inputs.map((value) => ({ value })))
    })
    const [second, lost] = [Promise.withResolvers<number>(), Promise.withResolvers<number>()]
    const answers = [ask(lost.promise), ask(second.promise), ask(1)]
    await vi.advanceTimersByTimeAsync(4)
    expect(begun).toEqual([])
    lost.reject(new Error('lost'))
    await expect(answers[0]).rejects.toThrow('lost')
    second.resolve(2)
    expect(await Promise.all(answers.slice(1))).toEqual([2, 1])
    expect(begun).toEqual([[1, 2]])
    const late = Promise.withResolvers<number>()
    const [fourth, third] = [ask(late.promise), ask(3)]
    await vi.advanceTimersByTimeAsync(5)
    expect(await third).toBe(3)
    late.resolve(4)
    expect(await fourth).toBe(4)
    expect(begun.slice(1)).toEqual([[3], [4]])
    vi.useRealTimers()
  })

  test('begins at the end of the turn, for all whose requests are read in it', async () => {
    const begun: (readonly number[])[] = []
    const ask = batched({ most: 10, atOnce: 2, atEndOfTick: true }, (inputs: readonly number[]) => {
      begun.push(inputs)
      return Promise.resolve(inputs.map((value) => ({ value })))
    })
    const asLate = Promise.resolve().then(() => ask(2))
    expect(await Promise.all([ask(1), asLate])).toEqual([1, 2])
    expect(begun).toEqual([[1, 2]])
  })
})
