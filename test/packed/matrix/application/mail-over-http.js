/** Magic links where there are no sockets: the application sends them by itself. */
export const mail = (send) => ({
  id: "nodemailer",
  name: "link",
  type: "email",
  from: "site@example.com",
  sendVerificationRequest: ({ identifier, url }) => send({ to: identifier, url })
})
