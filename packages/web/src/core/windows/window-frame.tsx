import {
  type PointerEvent,
  type ReactNode,
  type RefObject,
  useCallback,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react'
import { Spinner } from '../../kit/spinner.tsx'
import { windowBridge } from '../bridge/window-bridge.ts'
import { useT } from '../i18n/i18n.ts'
import { Boundary } from '../page/boundary.tsx'
import { ChunkFailure } from '../page/chunk-failure.tsx'
import { loadChunk } from '../page/chunks.tsx'
import { clamp, type Edge, edges, narrowWidth, type Place, resize } from './geometry.ts'
import {
  bringToFront,
  closeWindow,
  leastOf,
  type OpenWindow,
  placeWindow,
  setWindowDirty,
  toggleMaximized,
  viewport,
  type WindowProps,
} from './index.ts'
import { useOwnBar } from './own-bar.tsx'
import { TitleButtons } from './title-buttons.tsx'

interface FrameProps {
  readonly window: OpenWindow
  readonly isFront: boolean
  readonly onLeave: () => void
}

/** One window: its title bar, its edges, and the component of its definition. */
export function WindowFrame({ window: shown, isFront, onLeave }: FrameProps): ReactNode {
  const { id, definition, props, maximized } = shown
  const t = useT()
  const titleId = useId()
  const root = useRef<HTMLDivElement>(null)
  const resizable = definition.resizable !== false && definition.size?.height !== 'auto'
  const framed = !definition.fullScreen
  const bridge = windowBridge()
  /** The page fills a window of the desktop program. */
  const alone = definition.alone === true && bridge.ownsWindow
  useOwnBar(alone && framed)
  const variant = resizable ? 'default' : 'modal'
  const isNarrow = viewport().width <= narrowWidth && definition.size?.height !== 'auto'
  const filling = definition.fullScreen === true || maximized || alone || isNarrow

  useFirstFocus(root)

  const title = typeof definition.title === 'function' ? definition.title(props) : t(definition.title)
  const looks = [
    'window',
    filling && 'is-filling',
    definition.transparent && 'is-transparent',
    framed && 'is-framed',
    isFront && 'is-front',
  ]
  const dragBar = usePull(root, id, (from, by) =>
    clamp({ ...from, left: from.left + by.x, top: from.top + by.y }, viewport()),
  )

  return (
    <div
      ref={root}
      data-window={id}
      className={looks.filter(Boolean).join(' ')}
      role="dialog"
      aria-modal="true"
      {...(framed ? { 'aria-labelledby': titleId } : { 'aria-label': title })}
      tabIndex={-1}
      style={filling ? undefined : styleOf(shown)}
      onPointerDownCapture={() => bringToFront(id)}
      onKeyDown={(event) => event.key === 'Tab' && keepFocusInside(event, root.current)}
    >
      <div className="window-inside">
        {framed && (
          <header
            className="window-bar"
            onPointerDown={filling ? undefined : dragBar}
            onDoubleClick={() => resizable && !alone && toggleMaximized(id)}
          >
            <h2 id={titleId}>{title}</h2>
            <TitleButtons
              buttons={bridge
                .buttons(variant, resizable)
                .filter((button) => button !== 'close' || definition.locked !== true)}
              maximized={maximized}
              onPress={(button) => {
                if (button === 'close') onLeave()
                else if (alone) bridge.press(variant, button)
                else toggleMaximized(id)
              }}
            />
          </header>
        )}
        <Boundary>
          <WindowContent window={shown} />
        </Boundary>
      </div>
      {resizable && !filling && edges.map((edge) => <EdgeGrip key={edge} edge={edge} root={root} window={shown} />)}
    </div>
  )
}

/** A window whose height follows its content is centred until it is dragged. */
function styleOf({ place, definition }: OpenWindow): React.CSSProperties | undefined {
  const byContent = { height: 'fit-content', maxHeight: 'calc(100vh - 32px)' }
  if (place === undefined) return { inset: 0, margin: 'auto', width: definition.size?.width, ...byContent }
  return definition.size?.height === 'auto' ? { ...place, ...byContent } : place
}

/** Loads the component, then draws it. */
function WindowContent({ window: shown }: { readonly window: OpenWindow }): ReactNode {
  const { id, definition, props } = shown
  const t = useT()
  const [Content, setContent] = useState<(props: WindowProps<unknown, unknown>) => ReactNode>()
  const [error, setError] = useState<unknown>()
  useEffect(() => {
    let current = true
    loadChunk(definition.load).then(
      (component) => current && setContent(() => component),
      (reason: unknown) => current && setError(reason),
    )
    return () => {
      current = false
    }
  }, [definition])
  const close = useCallback((result?: unknown) => closeWindow(id, result), [id])
  const setDirty = useCallback((dirty: boolean) => setWindowDirty(id, dirty), [id])
  if (error !== undefined) return <ChunkFailure error={error} />
  if (Content === undefined) return <Spinner label={t('window.loading')} />
  return <Content {...(props as object)} close={close} setDirty={setDirty} />
}

/** Moves the focus into the window when it opens: to the element that requests it, otherwise to the window. */
function useFirstFocus(root: RefObject<HTMLDivElement | null>): void {
  useEffect(() => {
    const element = root.current
    if (element !== null && !element.contains(document.activeElement)) element.focus({ preventScroll: true })
  }, [root])
}

const focusable =
  'a[href],button:not(:disabled),input:not(:disabled),select:not(:disabled),textarea:not(:disabled),[tabindex="0"]'

/** Traps the focus: Tab at the last control goes to the first, and Shift+Tab the reverse. */
function keepFocusInside(event: React.KeyboardEvent, root: HTMLElement | null): void {
  const all = [...(root?.querySelectorAll<HTMLElement>(focusable) ?? [])].filter(
    (one) => one.getClientRects().length > 0,
  )
  const [first, last] = [all[0], all.at(-1)]
  const leaving = event.shiftKey ? first : last
  if (document.activeElement !== leaving && document.activeElement !== root) return
  if (document.activeElement === root && !event.shiftKey) return
  event.preventDefault()
  ;(event.shiftKey ? last : first)?.focus()
}

type Pull = (from: Place, by: { readonly x: number; readonly y: number }) => Place

/** Moves the element with the pointer by its style, and updates the window store on release. */
function usePull(
  root: RefObject<HTMLDivElement | null>,
  id: number,
  pull: Pull,
): (event: PointerEvent<HTMLElement>) => void {
  return (event) => {
    const element = root.current
    const grip = event.currentTarget
    if (event.button !== 0 || element === null) return
    if (event.target instanceof Element && event.target.closest('button') !== null) return
    const { left, top, width, height } = element.getBoundingClientRect()
    const from: Place = { left, top, width, height }
    const start = { x: event.clientX, y: event.clientY }
    let to = from
    const move = (moved: globalThis.PointerEvent): void => {
      to = pull(from, { x: moved.clientX - start.x, y: moved.clientY - start.y })
      element.style.inset = `${to.top}px auto auto ${to.left}px`
      element.style.margin = '0'
      // Moving alone does not fix the height, which can follow the content.
      if (to.width !== width) element.style.width = `${to.width}px`
      if (to.height !== height) element.style.height = `${to.height}px`
    }
    const end = (): void => {
      grip.removeEventListener('pointermove', move)
      grip.removeEventListener('pointerup', end)
      grip.removeEventListener('pointercancel', end)
      if (to === from) return
      for (const property of ['right', 'bottom', 'margin']) element.style.removeProperty(property)
      placeWindow(id, to)
    }
    grip.setPointerCapture(event.pointerId)
    grip.addEventListener('pointermove', move)
    grip.addEventListener('pointerup', end)
    grip.addEventListener('pointercancel', end)
  }
}

interface EdgeGripProps {
  readonly edge: Edge
  readonly root: RefObject<HTMLDivElement | null>
  readonly window: OpenWindow
}

function EdgeGrip({ edge, root, window: { id, definition } }: EdgeGripProps): ReactNode {
  const least = leastOf(definition)
  const onPointerDown = usePull(root, id, (from, by) => resize(from, { edge, by, least, viewport: viewport() }))
  return <i className={`window-edge is-${edge}`} onPointerDown={onPointerDown} />
}
