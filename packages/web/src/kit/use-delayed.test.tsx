// @vitest-environment happy-dom
// A wait is shown when it is long, and as one where it has parts.
import { limits } from '@cloudoc/domain'
import { type ReactNode, useState } from 'react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { act, cleanUp, render, screenText } from '../../test/render.tsx'
import { Spinner } from './spinner.tsx'

beforeEach(() => void vi.useFakeTimers())
afterEach(async () => {
  await cleanUp()
  vi.useRealTimers()
})

const pass = (ms: number) => act(async () => void vi.advanceTimersByTime(ms))

let show: (step: string) => void = () => undefined
function Steps(): ReactNode {
  const [step, setStep] = useState('first')
  show = setStep
  return step !== 'done' && <Spinner key={step} label={step} />
}

it('[R390] a wait that follows on one that is shown goes on at once; one by itself is shown when it is long', async () => {
  await render(<Steps />)
  await pass(limits.spinnerDelayMs - 1)
  expect(screenText()).not.toContain('first')
  await pass(1)
  expect(screenText()).toContain('first')
  await act(async () => show('next'))
  expect(screenText()).toContain('next')
  await act(async () => show('done'))
  await pass(limits.spinnerDelayMs)
  await act(async () => show('later'))
  expect(screenText()).not.toContain('later')
})
