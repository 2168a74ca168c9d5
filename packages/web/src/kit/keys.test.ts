import { describe, expect, it } from 'vitest'
import { isCommitEnter, isComposing } from './keys.ts'

describe('the Enter of an input method', () => {
  it('commits nothing while it composes', () => {
    expect(isCommitEnter({ key: 'Enter', keyCode: 13, isComposing: true })).toBe(false)
    expect(isCommitEnter({ key: 'Enter', keyCode: 13, nativeEvent: { isComposing: true } })).toBe(false)
  })

  it('commits nothing in Safari, which reports it with code 229 after the composition has ended', () => {
    expect(isCommitEnter({ key: 'Enter', keyCode: 229, isComposing: false })).toBe(false)
  })

  it('commits where no composition is', () => {
    expect(isCommitEnter({ key: 'Enter', keyCode: 13, isComposing: false })).toBe(true)
    expect(isComposing({ key: 'a', keyCode: 65 })).toBe(false)
  })
})
