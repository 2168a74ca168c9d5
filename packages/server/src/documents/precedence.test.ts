import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { afterOthers, beforeOthers } from './precedence.ts'

const never = new AbortController().signal

// [R168] Thumbnails and text of new content are made once nobody waits for a document, or after five seconds.
test('[R168] what nobody waits for begins once all that somebody waits for have ended, also where they fail', async () => {
  await afterOthers(never)
  const [first, second] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const opened = [beforeOthers(() => first.promise), beforeOthers(() => second.promise)]
  let hasBegun = false
  const later = afterOthers(never).then(() => {
    hasBegun = true
  })
  first.reject(new Error('broken'))
  await expect(opened[0]).rejects.toThrow('broken')
  await pause(0)
  expect(hasBegun).toBe(false)
  second.resolve()
  await later
  await opened[1]
})

test('what is called off waits no longer', async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  const opened = beforeOthers(() => promise)
  const left = new AbortController()
  const later = afterOthers(left.signal)
  left.abort()
  await later
  resolve()
  await opened
})
