/*
 * Co-editing a presentation: its text frames and notes are shared texts; slides, shapes and pictures are changed by the
 * server, after which the document has a new generation. All else stays byte-identical.
 */
import { frameKey, rebasedFrames, type SlideChange, type SlidesRebase } from '@cloudoc/office/presentation'
import { api, CallError } from '../../core/call/api.ts'
import { t as say } from '../../core/i18n/i18n.ts'
import { isolated } from '../../core/i18n/isolate.ts'
import { notifyFailure } from '../../items/actions/operations.ts'
import { fetchContent } from '../shared/edit-transfers.ts'
import { notEditableError } from '../shared/not-editable.ts'
import { openSlidesEditor, SlidesBody, type SlidesEditorInstance, SlidesFoot } from '../slides/slides-editor.tsx'
import type { CoeditAdapter } from './coedit-adapter.ts'
import type { CoeditSession } from './coedit-session.ts'
import { bindSlides, changeBetween } from './slides-binding.ts'

/** The words of the frames that were typed into since all was stored, before and now. */
type Typed = Map<string, string>

const typedIn = new WeakMap<CoeditSession, Typed>()

/** Notes what a frame said before it was typed into. */
function watchTyping(here: CoeditSession): Typed {
  const typed: Typed = new Map()
  typedIn.set(here, typed)
  here.store.subscribe(({ status }) => {
    if (status === 'stored' && !here.isDirty()) typed.clear()
  })
  return typed
}

/** The words of a frame with a change that was made to an earlier state of it. */
export function withOwnChange(before: string, own: string, now: string): string {
  if (now === before || now === own) return own
  const { from, to, insert } = changeBetween(before, own)
  const other = changeBetween(before, now)
  if (from >= other.to) {
    const by = other.insert.length - (other.to - other.from)
    return now.slice(0, from + by) + insert + now.slice(to + by)
  }
  if (to <= other.from) return now.slice(0, from) + insert + now.slice(to)
  // Both have changed the same place. The server may have the own change already.
  if (insert === '' || other.insert.includes(insert)) return now
  const end = other.from + other.insert.length
  return now.slice(0, end) + insert + now.slice(end)
}

export const slidesAdapter: CoeditAdapter = {
  merges: true,
  restructures: true,
  async open({ item, joined, session: first, onChange, renew }) {
    const { fId: fileId, fName } = item
    const live = { here: first }
    const bytes = await fetchContent({ fileId, fileName: fName }, joined.version)
    const show = { slide: undefined as number | undefined }
    const refused = (why: unknown): void => {
      show.slide = undefined
      // A frame that was dragged goes back.
      paper.store.setState({ selected: undefined })
      notifyFailure(why)
    }
    const restructure = async (change: SlideChange, slide: number): Promise<void> => {
      const { here } = live
      here.building(true)
      try {
        await here.sent()
        const { generation, client } = here
        const asked = { fileId, generation, client, change: JSON.stringify(change) }
        show.slide = slide
        const { why } = await api.of(item).buildTogether(asked, { quiet: true })
        if (why !== '') refused(say('editor.slides.unchanged'))
        else renew()
      } catch (error) {
        const isLate = error instanceof CallError && error.code === 'fileConflict'
        refused(isLate ? say('editor.slides.again') : error)
        if (isLate) renew()
      } finally {
        here.building(false)
      }
    }
    let paper: SlidesEditorInstance
    try {
      const bind = bindSlides.bind(undefined, first, watchTyping(first))
      paper = openSlidesEditor(bytes, fName, onChange, bind, (change, slide) => void restructure(change, slide)).editor
    } catch (error) {
      throw notEditableError(error)
    }
    return {
      ...paper,
      rebase({ session, file, rebases }) {
        const turns = rebases.map(({ turn }) => JSON.parse(turn) as SlidesRebase)
        const before = live.here
        const own = before.isDirty() ? [...(typedIn.get(before) ?? [])] : []
        const wordsOf = (name: string): string => before.doc.getText(frameKey(name)).toJSON()
        live.here = session
        const nameAfter = (name: string): string | undefined => rebasedFrames(turns, [[name, '']]).frames[0]?.[0]
        paper.reopen(file, bindSlides.bind(undefined, session, watchTyping(session)), nameAfter, show.slide)
        show.slide = undefined
        const lost: string[] = []
        for (const [name, base] of own) {
          const words = wordsOf(name)
          const after = nameAfter(name)
          if (after === undefined) lost.push(words)
          else paper.typeInto(after, (now) => withOwnChange(base, words, now))
        }
        const last = rebases.at(-1)
        const who = session.store.getState().members.find(({ client }) => client === last?.client)?.name ?? ''
        const text = lost.filter((one) => one !== '').join('、')
        if (text !== '')
          notifyFailure(say('here.turned.lost', { who: isolated(who), text: isolated(text.slice(0, 200)) }))
        return ''
      },
      Body: ({ zoom }) => <SlidesBody paper={paper} zoom={zoom} />,
      Foot: () => <SlidesFoot paper={paper} />,
    }
  },
}
