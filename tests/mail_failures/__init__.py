"""Twenty ways in which mail fails, and where each is tried. Those marked * are in this folder.

== =================================================================== =====================================
 1 out-of-office notices and we answer each other for ever             test_machines *, test_storms *
 2 a bounce becomes a command, is answered, bounces again              test_machines *, test_machine_mail
 3 a person's mail is dropped as automatic                             test_machines *, test_machine_mail
 4 a quotation is cut wrongly, and an old move runs again              test_quotations *, test_replytext
 5 one bad charset or header kills the batch                           test_horrors *
 6 a crash between doing and noting does it twice                      test_kills *, test_outbox
 7 marked as seen before it is kept, and lost                          test_fetching
 8 one message is tried for ever                                       test_fetching, test_mailbox,
                                                                       test_outbox, test_kills *
 9 a mailbox falls silent, and we wait for ever                        test_fetching
10 several workers send several copies                                 test_outbox, test_races
11 silence after a whole letter makes copies                           test_outbox, test_transport
12 a token is broken by the case of its letters                        test_identity *
13 a provider changes Message-ID, a program drops References           test_identity *
14 forged senders, forged results of checks, forwarded notices         test_identity *, test_machine_mail
15 looking at a link acts                                              test_links *, test_stop
16 a name, title or subject becomes a header                           test_injection *, test_messages
17 an empty plain part, HTML alone, winmail.dat                        test_horrors *, test_mailbox
18 a verdict on us is taken for a dead address; a way past suppression test_suppressed *, test_bounces,
                                                                       test_outbox, test_transport
19 class 5 for trouble of our own                                      test_listening, test_commands_of_flask
20 one mail exhausts us                                                test_bombs *, test_replytext
== =================================================================== =====================================
"""
