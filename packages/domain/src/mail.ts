// What the server and the page share about mailboxes.

export const mailProtocols = ['imap', 'pop3', 'exchange'] as const
export type MailProtocol = (typeof mailProtocols)[number]
