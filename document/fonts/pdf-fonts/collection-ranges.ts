/**
 * Ranges of Adobe's character collections: first CID, position of its code in the character set, length, in base 36.
 * Positions count rows of 94 characters from 0xA1A1, or of 157 from 0x8140 (Big Five). Taken from Adobe's CMaps EUC-H,
 * GB-EUC-H, KSC-EUC-H and ETen-B5-H, which are public under the BSD licence; CIDs outside of those sets, such as
 * variants, are left out.
 */
export const collectionRanges: Readonly<Record<string, string>> = {
  Japan1:
    'hl 0 30 kl 3b 8 kt 3r 7 l0 49 f lf 4v 8 ln 57 1 lo 5n a ly 64 q mo 70 q ne 7u 2b pp ag 2e s3 d2 o sr dy o ' +
    'tf fo x uc h0 x v9 136 2ad 35m 3eq 2m4 5rr ia 1 5rs il 1 5rt ib 1 5ru im 1 5s3 ic 1 5s6 in 1 5s7 id 1 5sa ' +
    'io 1 5sb if 1 5se iq 1 5sf ie 1 5si ip 1 5sj ig 1 5sk j1 1 5sn iw 1 5sq ir 1 5sr ii 1 5ss j3 1 5sv iy 1 ' +
    '5sy it 1 5sz ih 1 5t2 ix 1 5t3 j2 1 5t6 is 1 5t7 ij 1 5ta iz 1 5tb j4 1 5te iu 1 5tf ik 1 5ti j0 1 5tl j5 ' +
    '1 5tu iv 1 6e4 60u 2',
  GB1:
    '2o 0 2m 5a 32 1e 6o 4i a 6y 4u c 7a 58 4x c7 ag 2e el d2 o f9 dy 1h gq fo x hn h0 x ik ia w jg ja 12 ki ' +
    'kz 24 mm ni 3i q4 136 2wb 3mf 3zm 2bk',
  Korea1:
    '2t 0 4j 7c 58 41 bd 9a 1g ct av a d3 bc o dr c8 o ef d2 1w gb fo 27 ii ia 4 im if 1 in ih 8 iv iq 73 py ' +
    'q4 2e sc sq x t9 u2 x u6 136 1ta 2ng 2z2 3x 2rd 330 5 2ri 336 g 2ry 33n 28 2u6 335 1 2u7 35w 2a 2wh 387 o ' +
    '2x5 38w y 2y3 39v 4r 32u 3en 4 32y 3es l 33j 3fe n 346 3g2 c 34i 3gf 1u 36c 32z 1 36d 3ia e 36r 3ge 1 36s ' +
    '3ip 2 36u 3it 2 36w 3iw 2 36y 3j4 1 36z 3ja 1 370 3jf 1 371 3jh 1 372 3jk 1 373 3jm 3 376 3jq 3 379 3ju 1 ' +
    '37a 3jy 1 37b 3k1 3 37e 3k9 1 37f 3kb 1 37g 3is 1 37h 3kd 2 37j 3kg b 37u 3ks 3 37x 3ky 1 37y 3l5 1 37z ' +
    '3lh 1 380 3lk 3 383 3lp 1 384 3ls 1 385 3m1 4 389 3mb 1 38a 3me 4p 3cz 3r4 j 3di 3ir 1 3dj 3iv 1 3dk 3iy ' +
    '6 3dq 3j6 3 3dt 3s0 1 3du 3j9 1 3dv 3jb 4 3dz 3jg 1 3e0 3s9 2 3e2 3ji 2 3e4 3jl 1 3e5 3se 2 3e7 3jp 1 3e8 ' +
    '3sh 3 3eb 3jt 1 3ec 3sl 2 3ee 3jv 2 3eg 3sp 1 3eh 3jx 1 3ei 3jz 2 3ek 3k4 4 3eo 3sx 3 3er 3k8 1 3es 3ka 1 ' +
    '3et 3t2 3 3ew 3kf 1 3ex 3t6 1v 3gs 3v2 j 3hb 3kr 1 3hc 3vn 1 3hd 3kv 2 3hf 3vq 2 3hh 3kx 1 3hi 3kz 5 3hn ' +
    '3vy 1 3ho 3l4 1 3hp 3l6 2 3hr 3w2 1 3hs 3l8 6 3hy 3w9 1 3hz 3le 3 3i2 3wd 3 3i5 3li 2 3i7 3wi 2 3i9 3ln 2 ' +
    '3ib 3lq 1 3ic 3wn 2 3ie 3lr 1 3if 3wq d 3is 3lt 1 3it 3x4 1 3iu 3lu 4 3iy 3x9 1 3iz 3ly 2 3j1 3xc 3 3j4 ' +
    '3m0 1 3j5 3xg q 3jv 3y7 1 3jw 3m5 4 3k0 3yc 1 3k1 3m9 2 3k3 3mc 2 3k5 3yh e 3kj 3yw 9k 3u3 48h u 3ux 49c ' +
    'u 3vr 4a7 2l 3yc 4ct r 3z3 48g 1 3z4 4dl j 3zn 4e5 u 40h 4f0 2t 43a 4hu 1 43b 4hw i 43t 4if 19 452 4jp 1 ' +
    '453 4hv 1 454 4jr 4 458 4jw 2u 482 4mr b 48d 4jv 1 48e 4n3 d 48r 4nh 1h 4a8 3y6 1 4a9 4oz 9 4ai 4p9 m 4b4 ' +
    '4ht 1 4b5 4pw 4s 4fx 4up 9 4g6 4uz 7 4gd 4v7 r 4h4 3j5 1 4h5 4vz 1y 4j3 4xy 2 4j5 4y2 1 4j6 4xx 1 4j7 4y4 ' +
    '4 4jb 4y9 1 4jc 4yc 7 4jj 4yk 9 4js 4yu 1 4jt 4yw 1 4ju 4yy 3 4jx 4z2 z 4kw 504 1 4kx 507 2 4kz 50a 2 4l1 ' +
    '50d 5 4l6 50j 1 4l7 50n 1 4l8 50p 3 4lb 50u 3 4le 50y 7 4ll 516 1 4lm 519 2 4lo 51c 7 4lv 51k 3 4ly 51o 2 ' +
    '4m0 51r 2 4m2 51u 2 4m4 51x 1 4m5 51z 2 4m7 524 1 4m8 526 1 4m9 52a 2 4mb 52d 1 4mc 52g 2 4me 52l 1 4mf ' +
    '52n 5 4mk 52t 4 4mo 52y 1 4mp 4mq 1 4mq 532 1 4mr 535 2 4mt 538 e 4n7 53n 1 4n8 53p 4 4nc 53v 3 4nf 53z 1 ' +
    '4ng 541 1 4nh 544 2 4nj 547 b 4nu 54j 4 4ny 54o 1 4nz 54q g 4of 557 25 4qk 57e 7 4qr 57n 5 4qw 57t 1 4qx ' +
    '57v 1 4qy 57x 2 4r0 580 6 4r6 587 4 4ra 58c v 4s5 598 16 4tb 5af 13 4ue 5bj z 4vd 5cj e 4vr 5cy 2 4vt 5d1 ' +
    '4 4vx 5d6 1 4vy 5d8 3 4w1 5dc 2 4w3 5df 1 4w4 5di f 4wj 5dz 1 4wk 5e1 3 4wn 5e6 3 4wq 5eb 4 4wu 5eg 2 4ww ' +
    '5em 5 4x1 5es 17 4y8 5g1 2 4ya 5g4 4 4ye 5gc 2 4yg 3yv 1 4yh 5gg 1 4yi 5gi 1 4yj 5gk 5 4yo 5gr 3 4yr 5gw ' +
    '2 4yt 5h0 a 4z3 529 1 4z4 5hc 6 4za 5hk 2 4zc 5hn 2 4ze 5hq 2 4zg 5hu e 4zu 5ia 1 4zv 5ic 4 4zz 5ij 22 ' +
    '521 5km 22 543 5mp 9l 5do 5wb 11 5ep 4uo 1 5eq 5xd m 5fc 5y0 k 5fw 5yl 1 5fx 33m 1 5fy 5yn t 5gr 4ie 1 ' +
    '5gs 5zh 1f 5i7 60x 1y 5k5 62w 4l 5oq 4uy 1 5or 67i r 5pi 68a 1 5pj 68c v 5qe 698 f 5qt 69o a 5r3 69z 1r ' +
    '5su 4a6 1 5sv 6br 11 5tw 6ct g 5uc 6cs 1 5ud 6da 3 5ug 6de v 5vb 4ez 1 5vc 6ea 24 5xg 6gg p 5y5 6ge 1 5y6 ' +
    '6h6 15 5zb 6ic w 607 53o 1 608 6j9 2l 62t 6lv n 63g 38v 1 63h 6mj 2f 65w 5ae 1 65x 6oz 1v',
  CNS1:
    '2r 3vk p 3k 3wd 3b 6v 3zp 1 6w 3zo 1 6x 3zq 72 dz 46t 3 e2 8eo u ex 8fi p gj 48n 138 1jr 5bw bs 1vj 5bv 1 ' +
    '1vk 5no 1g4 3bo 7ej 1 3bp 73s ar 3mg 7ek el 411 7ye 1 412 7t5 59 46b 7yf 2c 48n 84t 1 48o 80r 1i 4a6 82a ' +
    '1 4a7 829 1 4a8 82b 2i 4cq 84u 9u 4mk 8q0 a 4mu 8qb u 4no 8ge 1 4np 8r6 2 4nr 8sk 1 4ns 8r8 1c 4p4 8sl 1a ' +
    '4qe 8yi 1 4qf 8tv 4n 4v2 8yj 1f4 6a6 avm 1 6a7 ado 30 6d7 agp ex 6s4 adn 1 6s5 avn 2s 6ux ago 1 6uy ayf ' +
    'b3 761 b9j 19h 8fi cy9 1 8fj cj0 42 8jl d23 1 8jm cn2 7z 8rl dj0 1 8rm cv1 38 8uu cya 3t 8yn d24 2w 91j ' +
    'dgp 1 91k d50 66 97q db7 5i 9d8 dgq 2a 9fi dj1 2e 9hw db6 1 9hx dlf 8 9i5 dlo 49 9me dpy 1k 9ny dzu 1 9nz ' +
    'dri 35 9r4 dln 1 9r5 dun 3y 9v3 dpx 1 9v4 dyl 19 9wd dzv 1z 9yc e78 1 9yd e1u 5e a3r e79 dm ahd em2 1 ahe ' +
    'ekv 17 ail em3 1 aim em5 b aix em4 1 aiy emg 4 alr 3w9 4 alv 8g7 7 am2 8gf 8e aug emk 15',
};
