import type { English } from '../core/i18n/i18n.ts'
import type { zh } from './page-texts.zh.ts'

export const en: English<typeof zh> = {
  'email.movedMany': '{n} messages moved to “{folder}”',
  'email.marked': '{n} messages marked',
  'email.marked_one': '{n} message marked',
  'email.compose.tooMany': 'A field takes at most {most} recipients. {n} more were not added.',
  'email.answer.tooMany':
    'This mail has more than {most} recipients, so you cannot reply to all. Reply to the sender instead.',
  'email.unpick': 'Clear selection',
  'email.pick.one': 'Select message: {title}',
  'email.attachment.preview': 'Preview',
  'email.attachment.badName': 'The name “{name}” has characters that cannot be written; rename the file first',
  'email.charset': 'Text encoding',
  'email.charset.auto': 'Detected',
  'email.charset.utf-8': 'Unicode (UTF-8)',
  'email.charset.gb18030': 'Simplified Chinese (GB18030)',
  'email.charset.big5': 'Traditional Chinese (Big5)',
  'email.charset.iso-2022-jp': 'Japanese (ISO-2022-JP)',
  'email.charset.shift_jis': 'Japanese (Shift_JIS)',
  'email.charset.euc-jp': 'Japanese (EUC-JP)',
  'email.charset.euc-kr': 'Korean (EUC-KR)',
  'email.charset.windows-1252': 'Western European (Windows-1252)',
  'email.compose.picture': 'Insert picture',
  'email.compose.picture.failed': '“{name}” is not a picture that can be shown',
  'email.compose.picture.full': 'The text has no room for more pictures; attach this one',
  'email.compose.left': 'This computer has unsaved text of this message',
  'email.compose.left.take': 'Restore',
  'email.box.aliases': 'Aliases',
  'email.box.aliases.more':
    'Mail to these addresses arrives here too; answers leave from the address that was written to. Separate them with commas.',
}
