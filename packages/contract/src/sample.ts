// The ids that sample inputs of calls use. Tests of all calls create these objects and fill in the ids.

/** Ids of existing objects. The caller of the samples is an administrator. */
export interface SampleIds {
  /** Milliseconds since 1970. */
  readonly now: number
  /** The caller's own library. */
  readonly library: number
  /** A folder of the caller, shared with the user, and a text file in it. */
  readonly folderId: number
  readonly fileId: number
  /** A link to the file. */
  readonly linkId: number
  /** An open upload into the folder. */
  readonly uploadId: string
  /** A folder of somebody else, in which the caller has requested rights. */
  readonly borrowed: number
  readonly authorizationId: number
  /** An urge that the caller has sent. */
  readonly notifyId: number
  /** A change of the rights on the folder. */
  readonly changeId: number
  /** An external link to the file. */
  readonly externalId: number
  readonly linkToken: string
  /** Two users, and a link by which the first sets a password. */
  readonly userId: number
  readonly successorId: number
  readonly linkCode: string
  /** A department and its library. */
  readonly groupId: number
  readonly libraryId: number
  readonly roleId: number
  readonly pictureId: string
  readonly templateId: number
  /** A watermark template of the caller. */
  readonly ownTemplateId: number
  /** A workflow template, and a process of the caller on it that is not launched. */
  readonly processTemplateId: number
  readonly processId: number
  /** A mailbox of the caller, a mail in it, and a draft. */
  readonly boxId: number
  readonly mailId: number
  readonly outgoingId: number
  /** A group of the caller, in which the users are not, with a card of the file as a message, and a file of its own. */
  readonly conversationId: number
  readonly messageNumber: number
  readonly talkFileId: number
  /** An upload in parts of the caller to that conversation. */
  readonly talkUploadId: string
  /** A PDF of the caller in the folder, a signing process of another one that the caller launched and signs, a signature and a seal. */
  readonly pdfId: number
  readonly activityId: number
  readonly signatureId: number
  readonly sealId: number
  /** The link by which somebody without an account signs. */
  readonly signToken: string
  /** The certificate of a user. */
  readonly certificateId: number
  /** An exchange across networks that the caller has sent, and something that the caller has received. */
  readonly exchangeId: number
  readonly receivedId: number
}
