import { expect, test } from 'vitest'
import { offerUndo, trackInFlight, type UndoableAct, undoLast } from './undo.ts'

test('what is taken back while an act is on its way is that act, not the one before; one that fails is not waited for longer', async () => {
  const back: string[] = []
  const act = (text: string): UndoableAct => {
    const undo = async () => void back.push(text)
    return { text, undo, redo: undo, quiet: true }
  }
  offerUndo(act('before'))
  const answered = Promise.withResolvers<void>()
  void trackInFlight(answered.promise.then(() => offerUndo(act('now'))))
  undoLast()
  answered.resolve()
  await expect.poll(() => back).toEqual(['now'])
  await expect(trackInFlight(Promise.reject(new Error('refused')))).rejects.toThrow('refused')
  undoLast()
  await expect.poll(() => back).toEqual(['now', 'before'])
})
