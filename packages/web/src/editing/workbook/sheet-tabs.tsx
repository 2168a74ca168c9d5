// The sheet tabs below a grid: switch, rename in place, reorder by dragging, and a context menu.
import type { History, Workbook } from '@cloudoc/office/workbook'
import { type NameFault, nameFault } from '@cloudoc/office/workbook'
import {
  type KeyboardEvent,
  type PointerEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useRef,
  useState,
} from 'react'
import { t as say, useT } from '../../core/i18n/i18n.ts'
import { isolated } from '../../core/i18n/isolate.ts'
import { type MenuEntry, showMenu } from '../../core/menu/menu.ts'
import { confirmBox } from '../../core/windows/boxes.ts'
import { notifyFailure } from '../../items/actions/operations.ts'
import { IconButton } from '../../kit/button.tsx'
import { Add16Regular } from '../../kit/icons.ts'
import { changeStructure, type SheetStructureChange } from './sheet-structure.ts'

interface TabsProps {
  readonly history: History
  readonly book: Workbook
  readonly part: string
  readonly isEditable: boolean
  readonly turnTo: (part: string) => void
}

/** The tab colors. */
const tints = {
  red: 'C00000',
  orange: 'E8590C',
  yellow: 'E0A800',
  green: '2F7D32',
  blue: '0F6CBD',
  purple: '6B3FA0',
  grey: '7A7A7A',
} as const

/** The minimum drag distance before a tab moves. */
const least = 6

interface SheetActions {
  readonly history: History
  readonly book: Workbook
  readonly turnTo: (part: string) => void
  readonly setNaming: (part: string | undefined) => void
}

/** What can be done with a sheet. */
function sheetActions({ history, book, turnTo, setNaming }: SheetActions) {
  const names = [...book.sheets, ...book.hidden].map(({ name }) => name)
  const change = (of: string, what: SheetStructureChange): boolean => changeStructure(history, of, what)
  const add = (behind: string): void => {
    let n = book.sheets.length + book.hidden.length + 1
    while (nameFault(`Sheet${n}`, names) !== undefined) n++
    const name = `Sheet${n}`
    if (!change(behind, { kind: 'add', name })) return
    const made = history.now().sheets.find((one) => one.name === name)
    if (made !== undefined) turnTo(made.part)
  }
  const remove = async (of: string, name: string): Promise<void> => {
    const count = history.saying(of)
    const text = say('editor.sheet.remove.ask', { name: isolated(name) })
    const detail = count === 0 ? {} : { detail: say('editor.sheet.remove.says', { n: count }) }
    if (await confirmBox({ text, ...detail, ok: say('editor.sheet.remove'), danger: true }))
      change(of, { kind: 'remove' })
  }
  const rename = (of: string, before: string, name: string): void => {
    setNaming(undefined)
    const made = name.trim()
    if (made === before) return
    const fault = nameFault(
      made,
      names.filter((one) => one !== before),
    )
    if (fault !== undefined) notifyFailure(say(`editor.sheet.name.${fault satisfies NameFault}`))
    else change(of, { kind: 'rename', name: made })
  }
  /** Moves a sheet before another visible one; hidden sheets keep their position. */
  const order = (of: string, before: string | undefined): void => {
    const place = book.sheets.findIndex((one) => one.part === of)
    if (before !== of && before !== book.sheets[place + 1]?.part) change(of, { kind: 'order', before })
  }
  const entriesOf = (of: string, name: string): MenuEntry[] => {
    const place = book.sheets.findIndex((one) => one.part === of)
    const isOnly = book.sheets.length === 1 ? { disabled: true, reason: say('editor.sheet.built.lastSheet') } : {}
    const entry = (id: string, label: string, run: () => void, more: object = {}): MenuEntry => ({
      id,
      label,
      run,
      ...more,
    })
    return [
      entry('add', say('editor.sheet.add'), () => add(of)),
      entry('rename', say('editor.sheet.rename'), () => setNaming(of), { hint: 'F2' }),
      entry('remove', say('editor.sheet.remove'), () => void remove(of, name), { danger: true, ...isOnly }),
      { separator: true },
      entry('before', say('editor.sheet.before'), () => order(of, book.sheets[place - 1]?.part), { show: place > 0 }),
      entry('behind', say('editor.sheet.behind'), () => order(of, book.sheets[place + 2]?.part), {
        show: place < book.sheets.length - 1,
      }),
      { separator: true },
      entry('hide', say('editor.sheet.hide'), () => change(of, { kind: 'show', is: false }), isOnly),
      {
        id: 'show',
        label: say('editor.sheet.show'),
        show: book.hidden.length > 0,
        children: book.hidden.map((one) => ({
          id: one.part,
          label: one.name,
          run: () => {
            if (!change(one.part, { kind: 'show', is: true })) return
            if (history.now().sheets.some(({ part: own }) => own === one.part)) turnTo(one.part)
          },
        })),
      },
      {
        id: 'tint',
        label: say('editor.sheet.tint'),
        children: [
          ...Object.entries(tints).map(([color, hex]) => ({
            id: color,
            label: say(`editor.sheet.tint.${color as keyof typeof tints}`),
            icon: <span className="gr-tint" style={{ background: `#${hex}` }} />,
            run: () => void change(of, { kind: 'tint', color: hex }),
          })),
          { separator: true },
          {
            id: 'none',
            label: say('editor.sheet.tint.none'),
            run: () => void change(of, { kind: 'tint', color: '' }),
          },
        ],
      },
    ]
  }
  return { add, rename, order, entriesOf }
}

interface TabDrag {
  readonly list: RefObject<HTMLElement | null>
  readonly book: Workbook
  readonly isEditable: boolean
  readonly order: (of: string, before: string | undefined) => void
}

/** Dragging a tab to another position. */
function useTabDrag({ list, book, isEditable, order }: TabDrag) {
  const [drop, setDrop] = useState<{ readonly before: string | undefined }>()
  const drag = useRef<{ readonly part: string; readonly x: number }>(undefined)
  const dropAt = (x: number): { readonly before: string | undefined } => {
    const tabs = [...(list.current?.querySelectorAll<HTMLElement>('[role="tab"]') ?? [])]
    const next = tabs.findIndex((tab) => {
      const { left, width } = tab.getBoundingClientRect()
      return x < left + width / 2
    })
    return { before: next < 0 ? undefined : book.sheets[next]?.part }
  }
  const onPointerMove = (event: PointerEvent): void => {
    const { current: from } = drag
    if (from === undefined || (drop === undefined && Math.abs(event.clientX - from.x) < least)) return
    setDrop(dropAt(event.clientX))
  }
  const onPointerUp = (event: PointerEvent): void => {
    const { current: from } = drag
    drag.current = undefined
    if (from === undefined || drop === undefined) return
    setDrop(undefined)
    order(from.part, dropAt(event.clientX).before)
  }
  return {
    /** Where the tab would go; undefined if none is dragged. */
    drop,
    handlersOf: (part: string) => ({
      onPointerDown(event: PointerEvent): void {
        if (!isEditable || event.button !== 0) return
        drag.current = { part, x: event.clientX }
        event.currentTarget.setPointerCapture(event.pointerId)
      },
      onPointerMove,
      onPointerUp,
      onPointerCancel(): void {
        drag.current = undefined
        setDrop(undefined)
      },
    }),
  }
}

export function SheetTabs({ history, book, part, isEditable, turnTo }: TabsProps): ReactNode {
  const t = useT()
  const [naming, setNaming] = useState<string>()
  const list = useRef<HTMLDivElement>(null)

  useEffect(() => {
    list.current?.querySelector(`[aria-selected="true"]`)?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }, [part, book])

  const actions = sheetActions({ history, book, turnTo, setNaming })
  const drag = useTabDrag({ list, book, isEditable, order: actions.order })
  const { drop } = drag
  const onKeyDown = (event: KeyboardEvent, of: string): void => {
    const place = book.sheets.findIndex((one) => one.part === of)
    const steps: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowRight: 1 }
    const step = steps[event.key]
    if (event.key === 'F2' && isEditable) setNaming(of)
    else if (step !== undefined && (event.ctrlKey || event.metaKey) && isEditable) {
      actions.order(of, book.sheets[step < 0 ? place - 1 : place + 2]?.part)
    } else if (step !== undefined) {
      list.current?.querySelectorAll<HTMLElement>('[role="tab"]')[place + step]?.focus()
    } else return
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    <>
      {isEditable && (
        <IconButton
          size="small"
          label={t('editor.sheet.add')}
          icon={<Add16Regular />}
          onClick={() => actions.add(part)}
        />
      )}
      <div className="gr-tabs" role="tablist" aria-label={t('drive.preview.sheets')} ref={list}>
        {book.sheets.map((sheet) =>
          naming === sheet.part ? (
            <NameField
              key={sheet.part}
              name={sheet.name}
              label={t('editor.sheet.rename')}
              done={(name) => actions.rename(sheet.part, sheet.name, name)}
              cancel={() => setNaming(undefined)}
            />
          ) : (
            <button
              key={sheet.part}
              type="button"
              role="tab"
              aria-selected={sheet.part === part}
              tabIndex={sheet.part === part ? 0 : -1}
              className={drop?.before === sheet.part ? 'gr-tab is-drop' : 'gr-tab'}
              style={sheet.color === undefined ? undefined : { boxShadow: `inset 0 -3px 0 ${sheet.color}` }}
              onClick={() => turnTo(sheet.part)}
              onDoubleClick={() => isEditable && setNaming(sheet.part)}
              onKeyDown={(event) => onKeyDown(event, sheet.part)}
              onContextMenu={(event) => {
                if (!isEditable) return
                event.preventDefault()
                if (sheet.part !== part) turnTo(sheet.part)
                void showMenu(actions.entriesOf(sheet.part, sheet.name), { x: event.clientX, y: event.clientY })
              }}
              {...drag.handlersOf(sheet.part)}
            >
              {sheet.name}
            </button>
          ),
        )}
        {drop !== undefined && drop.before === undefined && <span className="gr-drop" />}
      </div>
    </>
  )
}

interface NameFieldProps {
  readonly name: string
  readonly label: string
  readonly done: (name: string) => void
  readonly cancel: () => void
}

/** The field to rename a sheet in its tab. */
function NameField({ name, label, done, cancel }: NameFieldProps): ReactNode {
  const [text, setText] = useState(name)
  const field = useRef<HTMLInputElement>(null)
  const isOver = useRef(false)
  useEffect(() => {
    field.current?.focus()
    field.current?.select()
  }, [])
  const end = (how: () => void): void => {
    if (isOver.current) return
    isOver.current = true
    how()
  }
  return (
    <input
      ref={field}
      className="gr-naming"
      aria-label={label}
      value={text}
      maxLength={31}
      spellCheck={false}
      style={{ width: `${Math.max(6, [...text].length * 2 + 2)}ch` }}
      onChange={(event) => setText(event.target.value)}
      onBlur={() => end(() => done(text))}
      onKeyDown={(event) => {
        event.stopPropagation()
        if (event.nativeEvent.isComposing) return
        if (event.key === 'Enter') end(() => done(text))
        else if (event.key === 'Escape') end(cancel)
        else return
        event.preventDefault()
      }}
    />
  )
}
