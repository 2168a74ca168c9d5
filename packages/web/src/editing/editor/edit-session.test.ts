import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { CallError, type FailureCode } from '../../core/call/api.ts'
import { autosaveAfterMs, type EditSessionPorts, renewLockAfterMs, startEditSession } from './edit-session.ts'

const failure = (code: FailureCode): CallError =>
  new CallError('submitFile', { code, number: 0, message: code, quiet: false })

let text = ''
let refusals: FailureCode[] = []
const log: string[] = []
const ports = (more: Partial<EditSessionPorts> = {}): EditSessionPorts => ({
  content: { draft: () => text, bytes: () => new TextEncoder().encode(text) },
  submit: async (version, bytes, madeOf) => {
    const over = madeOf === undefined ? '' : ` over ${madeOf}`
    log.push(`submit ${version} ${new TextDecoder().decode(bytes)}${over}`)
    const refusal = refusals.shift()
    if (refusal !== undefined) throw failure(refusal)
    return { version: version + 1 }
  },
  resume: () => log.push('goOn'),
  lock: async () => {
    log.push('lock')
    return { version: 1 }
  },
  keepDraft: async (kept, version) => {
    log.push(`draft ${version} ${kept}`)
    return true
  },
  dropDraft: async () => void log.push('drop'),
  recordAutosave: async (version) => log.push(`automatic ${version}`),
  record: () => undefined,
  askConflict: async () => undefined,
  askLockLost: async () => undefined,
  saveAs: (bytes) => log.push(`copy ${new TextDecoder().decode(bytes)}`),
  now: () => 1,
  ...more,
})
const editing = (more: Partial<EditSessionPorts> = {}) => {
  const made = startEditSession(1, ports(more))
  return {
    ...made,
    type: (words: string) => {
      text = words
      made.changed()
    },
  }
}

beforeEach(() => {
  vi.useFakeTimers()
  text = ''
  refusals = []
  log.length = 0
})
afterEach(() => vi.useRealTimers())

test('[R198] what was typed is kept within two seconds, handed in once, and then no draft any more', async () => {
  const edit = editing()
  edit.type('一')
  edit.type('一二')
  await vi.advanceTimersByTimeAsync(300)
  expect(await edit.save()).toBe(true)
  await vi.advanceTimersByTimeAsync(autosaveAfterMs)
  expect(log).toEqual(['draft 1 一二', 'submit 1 一二', 'drop', 'lock'])
  edit.end()
})

// [R087] A draft of an editor is stored 300 ms after the last change, at most 800 ms after the first.
test('[R087] a draft is stored 300 ms after the last change, and every 800 ms while one goes on typing', async () => {
  const edit = editing()
  edit.type('一')
  await vi.advanceTimersByTimeAsync(299)
  expect(log).toEqual([])
  await vi.advanceTimersByTimeAsync(1)
  expect(log).toEqual(['draft 1 一'])
  for (const typed of ['二', '三', '四', '五']) {
    edit.type(typed)
    await vi.advanceTimersByTimeAsync(190)
  }
  expect(log).toEqual(['draft 1 一'])
  edit.type('六')
  await vi.advanceTimersByTimeAsync(40)
  expect(log).toEqual(['draft 1 一', 'draft 1 六'])
  edit.end()
})

test('[R198] it is handed in by itself as well, and that version says so', async () => {
  const edit = editing()
  edit.type('一')
  await vi.advanceTimersByTimeAsync(autosaveAfterMs)
  expect(log).toContain('submit 1 一')
  expect(log.at(-1)).toBe('automatic 2')
  expect(edit.store.getState()).toMatchObject({ status: 'saved', version: 2 })
  edit.end()
})

test('what is typed while it is handed in stays to be handed in', async () => {
  const edit = editing()
  edit.type('一')
  const saving = edit.save()
  edit.type('一二')
  await saving
  expect(edit.isDirty()).toBe(true)
  expect(log).not.toContain('drop')
  await edit.save()
  expect(log.filter((line) => line.startsWith('submit'))).toEqual(['submit 1 一', 'submit 2 一二'])
  edit.end()
})

// [R174] A newer version leads to a question: cancel, overwrite on top of it, save as.
test('[R174] another version is asked about: overwrite goes on top of it, save as leaves it, cancel keeps all', async () => {
  const answers = [undefined, 'saveAs', { overwrite: 5 }] as const
  const said: boolean[] = []
  for (const answer of answers) {
    refusals = ['fileConflict']
    const edit = editing({ askConflict: async () => answer })
    edit.type('我的')
    said.push(await edit.save())
    expect(edit.isDirty()).toBe(answer === undefined || answer === 'saveAs')
    edit.end()
  }
  expect(said).toEqual([false, false, true])
  const each = ['submit 1 我的', 'draft 1 我的']
  expect(log).toEqual([...each, ...each, 'copy 我的', ...each, 'submit 5 我的 over 1', 'drop'])
})

// [R173] A save without the lock asks: cancel, a copy, or, where nobody holds it, to take it again and save. What is
// submitted automatically asks nobody.
test('[R173] without the lock there is a copy, and where nobody has it the way to take it again', async () => {
  const asked: (string | undefined)[] = []
  const answering = (answer: 'saveAs' | 'again' | undefined): Partial<EditSessionPorts> => ({
    askLockLost: async (_, option) => {
      asked.push(option)
      return answer
    },
  })
  for (const [answer, saved, steps] of [
    ['again', true, ['lock', 'submit 1 一', 'drop']],
    ['saveAs', false, ['copy 一']],
    [undefined, false, []],
  ] as const) {
    log.length = 0
    refusals = ['noEditLock']
    const edit = editing(answering(answer))
    edit.type('一')
    expect(await edit.save()).toBe(saved)
    expect(log).toEqual(['submit 1 一', 'draft 1 一', ...steps])
    expect(edit.isDirty()).toBe(!saved)
    edit.end()
  }
  expect(asked).toEqual(['again', 'again', 'again'])

  // Another user has edited the file in the meantime and made a version: the dialog names the conflict.
  log.length = 0
  refusals = ['noEditLock', 'fileConflict']
  const behind = editing(answering('again'))
  behind.type('一')
  expect(await behind.save()).toBe(false)
  expect(behind.store.getState().message).toBe('fileConflict')
  behind.end()

  log.length = 0
  refusals = ['fileLocked']
  const lost = editing({ lock: () => Promise.reject(failure('fileLocked')), askLockLost: async () => 'saveAs' })
  lost.type('二')
  expect(await lost.save()).toBe(false)
  expect(log).toEqual(['submit 1 二', 'draft 1 二', 'copy 二'])
  expect(lost.store.getState()).toMatchObject({ isLockLost: true, status: 'failed' })
  expect(lost.isDirty()).toBe(true)
  lost.end()
})

test('a network that is away is tried again by itself, and asks nothing', async () => {
  refusals = ['network']
  const edit = editing({ askConflict: () => Promise.reject(new Error('asked')) })
  edit.type('一')
  expect(await edit.save()).toBe(false)
  expect(edit.store.getState().status).toBe('offline')
  await vi.advanceTimersByTimeAsync(autosaveAfterMs)
  expect(log.filter((line) => !/lock|automatic/.test(line))).toEqual([
    'submit 1 一',
    'draft 1 一',
    'submit 1 一',
    'drop',
  ])
  edit.end()
})

test('[R178] the lock is renewed while one edits, and its loss is told', async () => {
  let isFree = true
  const edit = editing({ lock: async () => (isFree ? { version: 1 } : Promise.reject(failure('fileLocked'))) })
  await vi.advanceTimersByTimeAsync(renewLockAfterMs)
  expect(edit.store.getState().isLockLost).toBe(false)
  isFree = false
  await vi.advanceTimersByTimeAsync(renewLockAfterMs)
  expect(edit.store.getState().isLockLost).toBe(true)
  edit.end()
})

test('[R339] a lock that was ended by somebody else is not taken again: a copy is offered, and words are still kept', async () => {
  const edit = editing({ askLockLost: async (why) => (log.push(`ask ${why}`), 'saveAs') })
  edit.type('一')
  edit.lockLost('陆远')
  await vi.advanceTimersByTimeAsync(autosaveAfterMs)
  expect(log).toEqual(['draft 1 一'])
  expect(await edit.save()).toBe(false)
  expect(log.slice(1)).toEqual(['ask 陆远', 'copy 一'])
  expect([edit.hasLock(), edit.isDirty(), edit.store.getState().isLockLost]).toEqual([false, true, true])
  edit.end()
})

test('[R181] ended while it is handed in, the refusal leads to the copy as well', async () => {
  refusals = ['noEditLock']
  const edit = editing({ askLockLost: async () => 'saveAs' })
  edit.type('一')
  const saving = edit.save()
  edit.lockLost('陆远')
  expect(await saving).toBe(false)
  expect(log).toEqual(['submit 1 一', 'draft 1 一', 'copy 一'])
  edit.end()
})

test('[R198] while what is handed in gets no further nobody waits for it; saving once more moves it, and it goes on by itself', async () => {
  const { promise, resolve } = Promise.withResolvers<{ version: number }>()
  let told: Parameters<EditSessionPorts['submit']>[3]['onConnection'] = () => undefined
  const edit = editing({
    submit: (_version, _bytes, _madeOf, { onConnection }) => {
      told = onConnection
      return promise
    },
  })
  edit.type('一')
  const saving = edit.save()
  told('away')
  expect(await saving).toBe(false)
  edit.type('一二')
  expect(edit.store.getState().status).toBe('offline')
  told('rests')
  expect([await edit.save(), edit.store.getState().status]).toEqual([false, 'resting'])
  told('runs')
  const again = edit.save()
  resolve({ version: 2 })
  // Text typed during the save is saved afterwards.
  expect([await again, edit.isDirty(), edit.store.getState().status]).toEqual([true, false, 'saved'])
  expect(log).toEqual(['draft 1 一', 'draft 1 一二', 'goOn', 'goOn', 'drop'])
  edit.end()
})

test('[R198] whoever gives it up or leaves calls off what is handed in', async () => {
  for (const leave of ['giveUp', 'end'] as const) {
    const signals: AbortSignal[] = []
    const edit = editing({
      submit: (_version, _bytes, _madeOf, { signal }) => {
        signals.push(signal)
        return new Promise(() => undefined)
      },
    })
    edit.type('一')
    void edit.save()
    void edit[leave]()
    expect(signals.map(({ aborted }) => aborted)).toEqual([true])
    edit.end()
  }
})

test('[R173] what is handed in by itself takes a lock that has run out again, and asks nobody where it cannot', async () => {
  refusals = ['noEditLock']
  const edit = editing({ askLockLost: () => Promise.reject(new Error('asked')) })
  edit.type('一')
  await vi.advanceTimersByTimeAsync(autosaveAfterMs)
  expect(log.filter((line) => /submit|drop|automatic/.test(line))).toEqual([
    'submit 1 一',
    'submit 1 一',
    'drop',
    'automatic 2',
  ])
  edit.end()
})
