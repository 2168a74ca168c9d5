// @vitest-environment happy-dom
// A wait is shown when it is long, and as one where it has parts.
import { limits } from '@cloudoc/domain'
import { type ReactNode, useState } from 'react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { act, button, cleanUp, click, render, screenText } from '../../test/render.tsx'
import { Spinner } from './spinner.tsx'

beforeEach(() => void vi.useFakeTimers())
afterEach(async () => {
  await cleanUp()
  vi.useRealTimers()
})

const pass = (ms: number) => act(async () => void vi.advanceTimersByTime(ms))

const steps = ['next', 'done', 'later'] as const
function Steps(): ReactNode {
  const [step, setStep] = useState('first')
  return (
    <>
      {step !== 'done' && <Spinner key={step} label={`waits: ${step}`} />}
      {steps.map((one) => (
        <button key={one} type="button" onClick={() => setStep(one)}>
          {one}
        </button>
      ))}
    </>
  )
}

// [R390] A wait that follows another wait shows its spinner at once: there is no empty state between a page and its
// rows.
it('[R390] a wait that follows on one that is shown goes on at once; one by itself is shown when it is long', async () => {
  await render(<Steps />)
  await pass(limits.spinnerDelayMs - 1)
  expect(screenText()).not.toContain('waits:')
  await pass(1)
  expect(screenText()).toContain('waits: first')
  await click(button('next'))
  expect(screenText()).toContain('waits: next')
  await click(button('done'))
  await pass(limits.spinnerDelayMs)
  await click(button('later'))
  expect(screenText()).not.toContain('waits:')
})
