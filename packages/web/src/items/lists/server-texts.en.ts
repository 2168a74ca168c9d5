// The English texts about servers in a list.
import type { serverNotesZh } from './server-texts.zh.ts'

export const serverNotesEn: Record<keyof typeof serverNotesZh, string> = {
  'linked.waiting': 'Still waiting for {names}. What it holds is added when it answers. ',
  'linked.late': 'What {names} holds came later and is at the end.',
}
