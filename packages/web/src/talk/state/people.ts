/** A person in messages: mentioned, listed, picked. */
export interface TalkPerson {
  readonly userId: number
  readonly name: string
}
