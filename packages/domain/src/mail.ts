// What the server and the page share about mailboxes.

export const mailProtocols = ['imap', 'pop3', 'exchange'] as const
export type MailProtocol = (typeof mailProtocols)[number]

/** The character sets in which a mail can be read again, where its own label is wrong or missing. */
export const mailCharsets = [
  'utf-8',
  'gb18030',
  'big5',
  'iso-2022-jp',
  'shift_jis',
  'euc-jp',
  'euc-kr',
  'windows-1252',
] as const
export type MailCharset = (typeof mailCharsets)[number]
